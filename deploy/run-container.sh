#!/usr/bin/env bash
# Runs a command in an image's files as a container engine would, where none works: mount, process and
# UTS namespaces of its own, pivot_root, uid 1000, no capability, no new privileges, a read-only root.
# The network is the caller's. Root; util-linux.
#
#   run-container.sh ROOT DATA [NAME=VALUE…] -- COMMAND…        ROOT: `buildah mount CONTAINER`
set -euo pipefail
root=$1 data=$2
shift 2
vars=(PATH=/usr/local/bin:/usr/bin:/bin)
while [ "$1" != -- ]; do vars+=("$1"); shift; done
shift
export root data
exec unshare --mount --pid --uts --ipc --fork --kill-child --propagation private -- bash -euc '
  mount --rbind -o ro "$root" "$root"; mount -o remount,bind,ro "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for each in null zero full random urandom tty; do
    : > "$root/dev/$each"; mount --bind "/dev/$each" "$root/dev/$each"
  done
  mount -t tmpfs -o mode=1777,size=1g tmpfs "$root/tmp"
  mount --bind "$data" "$root/data"
  mount --bind /etc/resolv.conf "$root/etc/resolv.conf"
  mount -t tmpfs tmpfs "$root/mnt"; mkdir "$root/mnt/old"
  cd "$root"; pivot_root . mnt/old; cd /app; umount -l /mnt/old; umount /mnt
  exec setpriv --reuid 1000 --regid 1000 --clear-groups --bounding-set=-all --inh-caps=-all \
    --no-new-privs -- env -i "$@"
' run-container "${vars[@]}" "$@"
