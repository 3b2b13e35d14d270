#!/usr/bin/env bash
# Builds the image and tries it, on a machine without a container engine and without an image registry.
# Root, on Debian, in a checkout in which `npm test` has run; packages: buildah debootstrap.
#
#   deploy/try-image.sh
set -euo pipefail
cd "$(dirname "$0")/.."
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} BUILDAH_ISOLATION=chroot
buildah images docker.io/library/debian:12-slim > /dev/null 2>&1 || deploy/make-base-image.sh
ca=${NODE_EXTRA_CA_CERTS:+--secret id=ca,src=$NODE_EXTRA_CA_CERTS}
# --format docker: the other one has no HEALTHCHECK.
buildah bud --pull=never --layers --format docker -f deploy/Dockerfile $ca -t quoth .
buildah images quoth
node deploy/try-image.ts quoth
