#!/bin/sh
# The two commands of the README on a fresh Debian, as a stranger would run them: debootstrap, a clean clone of HEAD,
# `./bootstrap run inputs/burgers.yaml`, `./bootstrap test`. Needs root, debootstrap, git, some 4 GB in FOLDER and, on two
# cores, most of an hour (GWRM_JOBS limits the compilations).
#
#   tests/long/debian_chroots.sh RELEASE FOLDER [MIRROR]     e.g.  tests/long/debian_chroots.sh trixie /var/tmp/trixie
#
# RELEASE: bookworm (Debian 12), trixie (Debian 13), .. ; MIRROR: that of this machine's apt if left out. A FOLDER that
# holds a system already is used again, with a new clone. With CCACHE_DIR set, compiled objects are taken from there and
# kept. Says at the end what passed; exit status 0 if both commands did.
set -eu

[ $# -ge 2 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p;}' "$0" >&2; exit 2; }
release=$1
mkdir -p "$2"
system=$(cd "$2" && pwd)
mirror=${3:-$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
  awk '$1 == "Debian" { print $2; exit }')}
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo 'only root may make a chroot' >&2; exit 2; }
[ -n "$mirror" ] || { echo 'apt names no mirror of Debian: give one as third argument' >&2; exit 2; }

mounted=
unmount() {
  for place in $mounted; do umount "$place" 2>/dev/null || umount --lazy "$place"; done
}
trap unmount EXIT
mount_at() {  # PLACE ARGUMENTS-OF-MOUNT...
  place=$system/$1
  shift
  mkdir -p "$place"
  mount "$@" "$place"
  mounted="$place $mounted"
}

if [ ! -e "$system/etc/debian_version" ]; then
  echo "making $release in $system"
  debootstrap --variant=minbase "$release" "$system" "$mirror" >"$system.log" 2>&1 ||
    { tail -n 20 "$system.log" >&2; exit 1; }
fi
# Names, proxies and certificates of this machine, without which there is no network in some places.
cp -L /etc/resolv.conf "$system/etc/resolv.conf"
mkdir -p "$system/usr/local/share/ca-certificates"
cp -r /usr/local/share/ca-certificates/. "$system/usr/local/share/ca-certificates/"
mount_at proc -t proc proc
mount_at dev --rbind /dev
mount --make-rslave "$system/dev"

rm -rf "$system/gwrm"
git clone --quiet --no-hardlinks "$source" "$system/gwrm"
rm -rf "$system/gwrm/.git"
inside() {
  chroot "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 GWRM_PRESET=release \
    ${GWRM_JOBS:+GWRM_JOBS="$GWRM_JOBS"} ${http_proxy:+http_proxy="$http_proxy"} \
    ${https_proxy:+https_proxy="$https_proxy"} "$@"
}
cache=
if [ -n "${CCACHE_DIR:-}" ]; then
  inside sh -c 'command -v ccache >/dev/null || { apt-get update && apt-get install -y --no-install-recommends ccache; }' \
    >>"$system.log" 2>&1
  mount_at ccache --bind "$CCACHE_DIR"
  cache='CCACHE_DIR=/ccache CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros CMAKE_C_COMPILER_LAUNCHER=ccache
    CMAKE_CXX_COMPILER_LAUNCHER=ccache'
fi

status=0
for words in 'run inputs/burgers.yaml' test; do
  log=$system.$(echo "$words" | cut -d' ' -f1).log
  if inside env $cache sh -c "cd /gwrm && ./bootstrap $words" >"$log" 2>&1; then
    passed=passed
  else
    passed=FAILED
    status=1
  fi
  tail -n 15 "$log"
  echo "$release: ./bootstrap $words: $passed (the whole output is in $log)"
done
exit $status
