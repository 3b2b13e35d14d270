# The inside of the sandbox: run by `unshare` as root of new namespaces, without power outside them.
# Builds a root folder that holds the system's libraries, the files that were given and nothing
# else, moves into it, gives up what power is left and becomes the program.
#
#   sh confine.sh WORKDIR PROGRAM READ... -- COMMAND ARG...
#
# COMMAND leads to PROGRAM. WORKDIR, which may be empty, is the only place that can be written to.
# Standard error is for what goes wrong here, and `ready` when nothing did; the program's own is
# descriptor 3.
set -eu
work=$1
program=$2
shift 2

# Some of what follows would change the whole system, were this still its own namespace.
read -r _ _ count < /proc/self/uid_map
[ "$count" = 1 ] || exit 1

# No program needs /sys, so nothing that may have to be shown lies under it.
root=/sys
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev,noexec tmpfs "$root"

# What every program needs. The lists are split into words on purpose: no name in them holds a space.
folders='/usr/bin /usr/lib /etc/alternatives'
links=
[ -d /usr/lib64 ] && folders="$folders /usr/lib64"
for folder in /bin /lib /lib64; do
  if [ -L "$folder" ]; then
    links="$links usr$folder"
  elif [ -d "$folder" ]; then
    folders="$folders $folder"
  fi
done
case $program in /usr/local/*) folders="$folders /usr/local/lib" ;; esac

targets=
table="/proc $root/proc none rbind
/dev/null $root/dev/null none bind,nosuid,noexec"
for folder in $folders; do
  [ -d "$folder" ] || continue
  targets="$targets $root$folder"
  table="$table
$folder $root$folder none rbind,ro,nosuid,nodev"
done
mkdir -p "$root/dev" "$root/proc" "$root/etc" "$root/old" $targets
: > "$root/dev/null"
if [ -e /etc/ld.so.cache ]; then
  : > "$root/etc/ld.so.cache"
  table="$table
/etc/ld.so.cache $root/etc/ld.so.cache none bind,ro,nosuid,nodev,noexec"
fi
[ -n "$links" ] && ln -s $links "$root"
# One program for all of them: each takes two milliseconds to start.
echo "$table" > "$root/etc/fstab"
mount --all --fstab "$root/etc/fstab"

# show OPTIONS PATH: the same path inside.
show() {
  [ -e "$root$2" ] || if [ -d "$2" ]; then
    mkdir -p "$root$2"
  else
    [ -d "$root${2%/*}" ] || mkdir -p "$root${2%/*}"
    : > "$root$2"
  fi
  mount -o "rbind,nosuid,$1" "$2" "$root$2"
}

[ -e "$root$program" ] || show ro,nodev "$program"
while [ "$1" != -- ]; do
  # Said here, or the program would take a file that we may not read for a bad one.
  : < "$1"
  show ro,nodev,noexec "$1"
  shift
done
shift
[ -n "$work" ] && show nodev,noexec "$work"

# No namespace may be made in this one.
{ echo 0 > /proc/sys/user/max_user_namespaces; } 2> /dev/null || :
mount -o remount,bind,ro,nosuid,nodev,noexec "$root"
cd "$root"
PATH=$PATH:/usr/sbin:/sbin pivot_root . old
cd /
# umount reads /proc, so that goes last.
umount -l /old /proc
cd "${work:-/}"
unset PWD OLDPWD SHLVL _

echo ready >&2
exec 2>&3 3>&-
exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs --pdeathsig KILL -- "$@"
