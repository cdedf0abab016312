#!/usr/bin/env bash
# accounting 0.4.1 rounds half cents down that its toFixed promises to round up.
#
# Its source says that toFixed treats floats as decimals, for accounting, so that 0.615 becomes 0.62. It multiplies by 100
# and rounds: 1.005 × 100 is 100.49999999999999. Of the half cents below ten dollars it gets some right and others not,
# and formatMoney shows them. A negative amount is rounded up in toFixed and down in formatMoney. accounting-js 2.0.3
# rounds the decimal.
#
# Seen on 2026-11-30, Node 24:
#   0.615    0.62    accounting-js 0.62          -0.615   toFixed -0.61, formatMoney $-0.62
#   1.005    1.00    accounting-js 1.01
#   9.995    9.99    accounting-js 10.00
#   10.075   10.07   accounting-js 10.08
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent accounting@0.4.1 accounting-js@2.0.3
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import accounting from 'accounting'
import { toFixed } from 'accounting-js'

for (const [amount, seen, right] of [
  [0.615, '0.62', '0.62'],
  [1.005, '1.00', '1.01'],
  [9.995, '9.99', '10.00'],
  [10.075, '10.07', '10.08'],
]) {
  console.log(amount, 'accounting', accounting.toFixed(amount, 2), accounting.formatMoney(amount), 'accounting-js', toFixed(amount, 2))
  strictEqual(accounting.toFixed(amount, 2), seen)
  strictEqual(accounting.formatMoney(amount), `$${seen}`)
  strictEqual(toFixed(amount, 2), right)
}
strictEqual(accounting.toFixed(-0.615, 2), '-0.61')
strictEqual(accounting.formatMoney(-0.615), '$-0.62')
JS
node check.mjs
echo 'unchanged: some half cents are rounded down'
