#!/bin/sh
# Installs the Drawbridge agent @VERSION@ on Linux. No root and no network are needed.
set -eu

version=@VERSION@
public_key='@PUBLIC_KEY@'

usage() {
  cat <<'EOF'
install.sh [--prefix DIR] [--from DIR|URL] [--hash-only]
install.sh --uninstall [--prefix DIR]

  --prefix DIR    where to install: DIR/bin/drawbridge (default: /usr/local for root, else ~/.local)
  --from DIR|URL  where the release is (default: the folder of this script)
  --hash-only     do without openssl: check the hashes, but not who made them
  --uninstall     remove what was installed; the agent's home folder stays

Examples:
  $ ./install.sh
  $ ./install.sh --prefix /opt/drawbridge --from https://downloads.example.com/drawbridge
EOF
}

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:-}/.local; fi
from=
hash_only=false
uninstall=false
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -gt 1 ] || fail '--prefix needs a folder'; prefix=$2; shift ;;
    --from) [ $# -gt 1 ] || fail '--from needs a folder or an address'; from=$2; shift ;;
    --hash-only) hash_only=true ;;
    --uninstall) uninstall=true ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 3 ;;
  esac
  shift
done
case $prefix in /*) ;; *) fail "the prefix is a whole path, not $prefix" ;; esac
bin=$prefix/bin
share=$prefix/share/drawbridge

if $uninstall; then
  rm -f "$bin/drawbridge" "$bin/drawbridge.old" "$bin/drawbridge.new" "$bin/drawbridge.upgrade.json"
  rm -rf "$share"
  echo "Removed from $prefix. The agent's home folder was left."
  exit 0
fi

case $(uname -s)-$(uname -m) in
  Linux-x86_64) executable=drawbridge-linux-x64 ;;
  Linux-aarch64) executable=drawbridge-linux-arm64 ;;
  *) fail "there is no agent for $(uname -s) on $(uname -m)" ;;
esac
[ ! -e "$bin/drawbridge" ] || fail "$bin/drawbridge is there already: drawbridge upgrade --file FOLDER"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fetch() {
  case $from in
    http://*) fail 'an address begins with https://' ;;
    https://*)
      if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --proto '=https' -o "$work/$1" "$from/$1"
      else
        wget --quiet --https-only -O "$work/$1" "$from/$1"
      fi
      ;;
    *) cp "$from/$1" "$work/$1" ;;
  esac || fail "$from has no $1"
}

[ -n "$from" ] || from=$(cd "$(dirname "$0")" && pwd)
from=${from%/}
for file in SHA256SUMS SHA256SUMS.sig manifest.json manifest.json.sig "$executable"; do
  fetch "$file"
done

cd "$work"
if $hash_only; then
  echo 'install.sh: the signature is not checked (--hash-only)' >&2
else
  command -v openssl >/dev/null || fail 'openssl is needed to check the signature, or --hash-only'
  printf '%s\n' "$public_key" >key.pem
  openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig \
    >/dev/null 2>&1 || fail 'SHA256SUMS is not signed with the key of this release'
fi
for file in manifest.json manifest.json.sig "$executable"; do
  line=$(grep "  $file\$" SHA256SUMS) || fail "SHA256SUMS does not name $file"
  printf '%s\n' "$line" | sha256sum -c - >/dev/null 2>&1 || fail "$file is not what was released"
done

mkdir -p "$bin" "$share"
chmod 755 "$executable"
cp "$executable" "$bin/drawbridge.new"
"$bin/drawbridge.new" --version >/dev/null || {
  rm -f "$bin/drawbridge.new"
  fail 'the agent does not run on this host: it needs glibc 2.34 or newer and libstdc++'
}
cp manifest.json "$share/manifest-$version.json"
cp manifest.json.sig "$share/manifest-$version.json.sig"
mv "$bin/drawbridge.new" "$bin/drawbridge"
echo "Installed $bin/drawbridge $version. Next: $bin/drawbridge enroll --help"
