#!/bin/sh
# The Debian packages of cmake/packages.cmake as a user gets them: made in a fresh Debian in a chroot, installed by apt into a
# second one that has no compiler, and used there by a user without rights. Needs root, debootstrap, git, some 3 GB in FOLDER.
#
#   tests/long/debian_packages.sh RELEASE FOLDER [MIRROR]     e.g.  tests/long/debian_packages.sh trixie /var/tmp/packages
#
# RELEASE: bookworm (Debian 12), trixie (Debian 13), .. ; MIRROR: that of this machine's apt if left out. Systems that are in
# FOLDER already are used again, the second one made anew. GWRM_JOBS limits the compilations; with CCACHE_DIR set, objects are
# taken from there. Exit status 0 if everything was found.
set -eu

[ $# -ge 2 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p;}' "$0" >&2; exit 2; }
release=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
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
  place=$1
  shift
  mkdir -p "$place"
  mount "$@" "$place"
  mounted="$place $mounted"
}

prepare() {  # SYSTEM
  system=$1
  if [ ! -e "$system/etc/debian_version" ]; then
    echo "making $release in $system"
    debootstrap --variant=minbase "$release" "$system" "$mirror" >"$system.log" 2>&1 ||
      { tail -n 20 "$system.log" >&2; exit 1; }
  fi
  # Names, proxies and certificates of this machine, without which there is no network in some places.
  cp -L /etc/resolv.conf "$system/etc/resolv.conf"
  mkdir -p "$system/usr/local/share/ca-certificates"
  cp -r /usr/local/share/ca-certificates/. "$system/usr/local/share/ca-certificates/"
  mount_at "$system/proc" -t proc proc
  mount_at "$system/dev" --rbind /dev
  mount --make-rslave "$system/dev"
}

inside() {  # SYSTEM COMMAND...
  system=$1
  shift
  chroot "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    ${GWRM_JOBS:+GWRM_JOBS="$GWRM_JOBS"} ${http_proxy:+http_proxy="$http_proxy"} \
    ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

builder=$folder/$release-build
user=$folder/$release-user
prepare "$builder"
rm -rf "$builder/gwrm"
git clone --quiet --no-hardlinks "$source" "$builder/gwrm"
cache=
if [ -n "${CCACHE_DIR:-}" ]; then
  mount_at "$builder/ccache" --bind "$CCACHE_DIR"
  cache='CCACHE_DIR=/ccache CCACHE_BASEDIR=/gwrm CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros CMAKE_C_COMPILER_LAUNCHER=ccache
    CMAKE_CXX_COMPILER_LAUNCHER=ccache'
fi
echo "$release: making the packages (output: $builder.log)"
inside "$builder" env $cache sh -ec '
  apt-get update
  apt-get install -y --no-install-recommends dpkg-dev file git ${CCACHE_DIR:+ccache}
  cd /gwrm
  ./bootstrap install
  cmake --preset release -DBUILD_TESTING=OFF
  ninja -C build/release -j "${GWRM_JOBS:-$(nproc)}" gwrm gwrm_library
  cd build/release
  rm -f ./*.deb
  cpack' >"$builder.log" 2>&1 || { tail -n 40 "$builder.log" >&2; exit 1; }

rm -rf --one-file-system "$user"
prepare "$user"
mkdir "$user/packages"
cp "$builder"/gwrm/build/release/gwrm_*.deb "$user/packages/"
dpkg-deb --info "$user"/packages/gwrm_*.deb
cat >"$user/packages/use" <<'END'
set -e
cd
gwrm run /usr/share/gwrm/inputs/burgers.yaml --set constants.nu=0.2
gwrm eval burgers.h5 --at t=1,x=1/2 --expr u
gwrm check /usr/share/gwrm/inputs/heat.yaml >/dev/null
! gwrm plot burgers.h5 2>said
grep 'apt-get install python3-' said
END
cat >"$user/packages/draw" <<'END'
set -e
cd
gwrm plot burgers.h5
gwrm plot burgers.h5 --kind live -o live
gwrm plot burgers.h5 --kind report -o report
gwrm plot burgers.h5 --kind film --frames 4 -o film.gif
cp /usr/share/gwrm/inputs/heat.yaml .
gwrm serve heat.yaml >address &
for second in $(seq 60); do
  [ -s address ] || sleep 1
done
python3 - <<'PYTHON'
import re
import urllib.request

address = re.search(r"http://\S+", open("address").read())[0]
page = urllib.request.urlopen(address).read().decode()
assert "heat.yaml" in page and "<textarea" in page, page
print(f"served: {len(page)} characters")
PYTHON
kill -INT $!
END
logged() {  # LOG COMMAND...
  log=$1
  shift
  "$@" >>"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
}
# Alone, then with what it recommends, but not with what that recommends: it has to be enough.
alone='apt-get install -y --no-install-recommends /packages/gwrm_*.deb'
recommended=$(dpkg-deb --field "$user"/packages/gwrm_*.deb Recommends | tr -d ,)
echo "$release: installing (output: $user.log)"
logged "$user.log" inside "$user" sh -ec "apt-get update; $alone"
inside "$user" sh -ec '
  if command -v g++; then exit 1; fi
  useradd --create-home somebody
  su somebody -c "sh /packages/use"
  bash -ec "source /usr/share/bash-completion/completions/gwrm; COMP_WORDS=(gwrm re) COMP_CWORD=1; _gwrm
    [ \"\${COMPREPLY[*]}\" = rerun ]"
  [ -s /usr/share/man/man1/gwrm.1 ]
  apt-get remove -y gwrm >/dev/null
  if command -v gwrm || [ -e /usr/share/gwrm ]; then exit 1; fi'
echo "$release: installing with Python"
logged "$user.log" inside "$user" sh -ec "$alone $recommended"
inside "$user" sh -ec '
  su somebody -c "sh /packages/draw"
  ls /usr/share/gwrm/postprocess/gwrm_post/__pycache__/figures.*.pyc
  apt-get remove -y gwrm >/dev/null
  if command -v gwrm || [ -e /usr/share/gwrm ]; then exit 1; fi'
echo "$release: passed"
