#!/bin/sh
# Builds the only ffmpeg that Quoth needs: it reads the containers and sound codecs that recordings
# come in, and writes PCM and Opus. 4 MB instead of the 200 MB that Debian's package brings with its
# libraries for screens, cameras and effects, and nothing to attack but what is named here.
# The source is Debian's, with Debian's security fixes: build the image again to get new ones.
#
#   sh build-ffmpeg.sh TARGET        as root, in a Debian that nobody else needs
set -eu
target=$1

# As in src/features/sound: a test compares the lists.
protocols='file pipe'
demuxers='flac mp3 aac ogg wav mov matroska avi mpegps mpegts pcm_s16le'
decoders='aac aac_latm alac flac vorbis opus speex ac3 eac3 wmav1 wmav2 amrnb amrwb gsm gsm_ms
  mp3float mp3 mp2float mp2 mp1float mp1 pcm_s8 pcm_u8 pcm_s16le pcm_s16be pcm_s24le pcm_s24be
  pcm_s32le pcm_s32be pcm_f32le pcm_f32be pcm_f64le pcm_f64be pcm_alaw pcm_mulaw pcm_dvd
  pcm_bluray adpcm_ms adpcm_ima_wav adpcm_ima_qt adpcm_g726 adpcm_yamaha adpcm_swf adpcm_g722 g723_1'
encoders='pcm_s16le libopus'
muxers='pcm_s16le ogg mp4 webm wav flac'
filters='aresample aformat anull asetpts amix pan'

export DEBIAN_FRONTEND=noninteractive
sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources
apt-get update -q
apt-get install -qy --no-install-recommends \
  gcc libc6-dev make nasm dpkg-dev libopus-dev zlib1g-dev pkg-config xz-utils

work=$(mktemp -d)
chmod 755 "$work"
cd "$work"
apt-get source -q ffmpeg
cd ffmpeg-*

list() { for name in $2; do printf -- '--enable-%s=%s ' "$1" "$name"; done; }
./configure --toolchain=hardened --disable-everything --disable-autodetect --disable-network \
  --disable-doc --disable-debug --disable-avdevice --disable-swscale --disable-postproc \
  --disable-programs --enable-ffmpeg --enable-parsers --enable-zlib --enable-libopus \
  $(list protocol "$protocols") $(list demuxer "$demuxers") $(list decoder "$decoders") \
  $(list encoder "$encoders") $(list muxer "$muxers") $(list filter "$filters")
make -j"$(nproc)" ffmpeg
strip ffmpeg
install -D -m 755 ffmpeg "$target"
cd /
rm -rf "$work"
