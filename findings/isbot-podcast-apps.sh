#!/usr/bin/env bash
# isbot 5.2.3 takes podcast apps and feed readers that people use for bots, but not all of them.
#
# Overcast, Pocket Casts, AntennaPod, Castro, Reeder and NetNewsWire count as bots, Apple Podcasts doesn't, although its
# user agent has the same form as Reeder's. A publisher who leaves bots out of the downloads of a podcast feed, or of the
# readers of a feed, then counts Apple's listeners alone. Text browsers (Lynx, w3m) count as people.
#
# Seen on 2026-11-28, Node 24: true for the first six, false for the last three.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent isbot@5.2.3
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { isbot } from 'isbot'

const seen = {
  'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)': true,
  'Pocket Casts': true,
  'AntennaPod/3.5.0': true,
  'Castro 2024.1/1450': true,
  'Reeder/5.4 CFNetwork/1490.0.4 Darwin/23.2.0': true,
  'NetNewsWire (RSS Reader; https://netnewswire.com/)': true,
  'Podcasts/4024.250.9 CFNetwork/1568.200.51 Darwin/24.1.0': false,
  'Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8': false,
  'w3m/0.5.3+git20230121': false,
}
for (const [agent, expected] of Object.entries(seen)) {
  console.log(isbot(agent), agent)
  strictEqual(isbot(agent), expected)
}
JS
node check.mjs
echo 'unchanged: most podcast apps and feed readers count as bots'
