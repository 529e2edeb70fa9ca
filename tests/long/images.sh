#!/bin/sh
# packaging/Dockerfile as docker would build it, and a case run in the image: by buildah, without a daemon, on a base image that
# debootstrap makes in place of the one of the registry. Needs root, debootstrap, buildah, some 6 GB in FOLDER.
#
#   tests/long/images.sh FOLDER [MIRROR]     e.g.  tests/long/images.sh /var/tmp/images
#
# MIRROR: that of this machine's apt if left out. With CCACHE_DIR set, objects are taken from there and kept, by a ccache of Debian
# that is put into the base image. Exit status 0 if the image was built and its case passed.
set -eu

[ $# -ge 1 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p;}' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
mirror=${2:-$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
  awk '$1 == "Debian" { print $2; exit }')}
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
[ -n "$mirror" ] || { echo 'apt names no mirror of Debian: give one as second argument' >&2; exit 2; }

base=$(sed -n 's/^FROM \(debian:[^ ]*\).*/\1/p' "$source/packaging/Dockerfile" | sort -u)  # the same one twice
case $base in
  debian:13-slim) release=trixie ;;
  *) echo "packaging/Dockerfile has another base than this script: $base" >&2; exit 2 ;;
esac
image() { buildah --root "$folder/images" --runroot "$folder/run" --storage-driver vfs "$@"; }

if [ ! -e "$folder/$release.tar" ]; then
  echo "making $release in $folder"
  rm -rf "$folder/$release"
  debootstrap --variant=minbase ${CCACHE_DIR:+--include=ccache} "$release" "$folder/$release" "$mirror" \
    >"$folder/base.log" 2>&1 || { tail -n 20 "$folder/base.log" >&2; exit 1; }
  tar -C "$folder/$release" --exclude='./dev/*' --exclude='./var/cache/apt/archives/*.deb' -cf "$folder/new.tar" .
  mv "$folder/new.tar" "$folder/$release.tar"
fi
if ! image inspect --type image "docker.io/library/$base" >/dev/null 2>&1; then
  container=$(image from scratch)
  image add --quiet "$container" "$folder/$release.tar" / >/dev/null
  if [ -n "${CCACHE_DIR:-}" ]; then  # of the base: --env of bud is heard by the last stage alone; LANG is part of its keys
    for setting in LANG=C.UTF-8 CCACHE_DIR=/ccache CCACHE_BASEDIR=/source CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 \
      CCACHE_SLOPPINESS=pch_defines,time_macros CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache; do
      image config --env "$setting" "$container"
    done
  fi
  image commit --quiet "$container" "docker.io/library/$base" >/dev/null
  image rm "$container" >/dev/null
fi

rm -rf "$folder/gwrm"
git clone --quiet --no-hardlinks "$source" "$folder/gwrm"
set -- bud --isolation chroot --pull-never --layers=false --tag gwrm --file "$folder/gwrm/packaging/Dockerfile"
[ -z "${CCACHE_DIR:-}" ] || set -- "$@" --volume "$CCACHE_DIR:/ccache"
echo "building the image (output: $folder/build.log)"
image "$@" "$folder/gwrm" >"$folder/build.log" 2>&1 || { tail -n 40 "$folder/build.log" >&2; exit 1; }

# As `docker run gwrm ..` would: the entry point of the image, which buildah keeps to itself, before the words.
container=$(image from --pull-never localhost/gwrm)
trap 'image rm "$container" >/dev/null' EXIT
entry=$(image inspect --format '{{range .OCIv1.Config.Entrypoint}}{{.}} {{end}}' "$container")
in_image() { image run --isolation chroot "$container" -- $entry "$@"; }
in_image run /usr/share/gwrm/inputs/burgers.yaml --set constants.nu=0.2
in_image eval burgers.h5 --at t=1,x=1/2 --expr u
in_image plot burgers.h5
image run --isolation chroot "$container" -- sh -c '[ "$PWD" = /work ] && ! command -v g++ && ! ls /packages 2>/dev/null'
echo 'the image: passed'
