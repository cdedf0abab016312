#!/usr/bin/env bash
# parse-address 1.1.2 drops the fraction of a house number, and city, state and ZIP code behind "D.C.".
#
# Its README says that it knows fractional building numbers and all the Postal Service's abbreviations of states. The
# half of "123 1/2 Main St" is another door (USPS Publication 28, appendix D4), and it's gone. Periods in a state's
# abbreviation lose the whole last line. Streets named by a letter, as in Washington, become a direction and the street
# "Street", and apostrophes are taken out of names. Nothing says that something is missing.
#
# Seen on 2026-11-30, Node 24:
#   123 1/2 Main St, Portland, OR 97201                 number "123"
#   123-1/2 Main St, Portland, OR 97201                 number "123-1", street "2 Main"
#   1 Main St NW, Washington, D.C. 20500                no city, no state, no zip
#   100 N Street SW, Washington, DC 20024               prefix "N", street "Street"
#   10 Main St, Coeur d'Alene, ID 83814                 city "Coeur dAlene"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent parse-address@1.1.2
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import parser from 'parse-address'

const portland = { city: 'Portland', state: 'OR', zip: '97201' }
for (const [address, seen] of [
  ['123 1/2 Main St, Portland, OR 97201', { number: '123', street: 'Main', type: 'St', ...portland }],
  ['123-1/2 Main St, Portland, OR 97201', { number: '123-1', street: '2 Main', type: 'St', ...portland }],
  ['1 Main St NW, Washington, D.C. 20500', { number: '1', street: 'Main', type: 'St', suffix: 'NW' }],
  [
    '100 N Street SW, Washington, DC 20024',
    { number: '100', prefix: 'N', street: 'Street', suffix: 'SW', city: 'Washington', state: 'DC', zip: '20024' },
  ],
  ["10 Main St, Coeur d'Alene, ID 83814", { number: '10', street: 'Main', type: 'St', city: 'Coeur dAlene', state: 'ID', zip: '83814' }],
]) {
  const found = { ...parser.parseLocation(address) }
  console.log(address, '→', found)
  deepStrictEqual(found, seen)
}
JS
node check.mjs
echo 'unchanged: fractions, and the line behind D.C., are dropped'
