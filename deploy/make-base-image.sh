#!/usr/bin/env bash
# Makes the base image docker.io/library/debian:12-slim out of Debian's own packages, on a machine
# that reaches no image registry. Where one is reached this is not needed.
# Root, on Debian; packages: buildah debootstrap.
#
#   deploy/make-base-image.sh        MIRROR=http://… for another mirror than deb.debian.org
set -euo pipefail
suite=bookworm
name=docker.io/library/debian:12-slim
mirror=${MIRROR:-http://deb.debian.org/debian}
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} BUILDAH_ISOLATION=chroot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror"

# As in the official image: neither manuals nor package files, also of what is installed on top.
cat > "$root/etc/dpkg/dpkg.cfg.d/docker" <<'CFG'
path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/man/*
path-exclude /usr/share/info/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/lintian/*
CFG
cat > "$root/etc/apt/apt.conf.d/docker" <<'CFG'
Acquire::Languages "none";
APT::AutoRemove::SuggestsImportant "false";
APT::Keep-Downloaded-Packages "false";
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
CFG
rm "$root/etc/apt/sources.list"
cat > "$root/etc/apt/sources.list.d/debian.sources" <<LIST
Types: deb
URIs: $mirror
Suites: $suite $suite-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: ${mirror%/debian}/debian-security
Suites: $suite-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
LIST
find "$root/usr/share/doc" -type f ! -name copyright -delete
find "$root/usr/share/doc" -depth -type d -empty -delete
rm -rf "$root"/usr/share/{man,info,locale,lintian}/* "$root"/var/lib/apt/lists/* "$root"/var/log/*.log \
  "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb "$root/var/cache/ldconfig/aux-cache"
# debootstrap copies this machine's. An engine gives every container its own.
: > "$root/etc/resolv.conf"
rm -f "$root/etc/hostname"

base=$(buildah from scratch)
buildah add -q "$base" "$root" / > /dev/null
buildah config --cmd /bin/bash --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$base"
buildah commit -q --rm "$base" "$name"
buildah images "$name"
