#!/usr/bin/env bash
# numero-a-letras 1.0.6 loses what is above 999 million pesos, and writes a whole peso as 100 cents.
#
# It writes amounts in words, as checks and receipts in Spanish have them. Its README promises numbers as text and names no
# limit. Thousands of millions are cut: 1,500,000,000 is "Millones de Pesos" and 1,234,567,890 is 34 millions. Cents are rounded
# without a carry, so 19.995 is "Diecinueve Pesos 100/100". After a million it writes "de" before the rest, where
# Spanish has it before the noun alone ("un millón un pesos").
#
# Seen on 2026-11-30, Node 24:
#   1500000000    Millones de Pesos 00/100 M.N.
#   1234567890    Treinta y Cuatro Millones de Quinientos Sesenta y Siete Mil Ochocientos Noventa Pesos 00/100 M.N.
#   19.995        Diecinueve Pesos 100/100 M.N.
#   1000001       Un Millón de Un Pesos 00/100 M.N.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent numero-a-letras@1.0.6
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { NumerosALetras } from 'numero-a-letras'

for (const [amount, seen] of [
  [58225, 'Cincuenta y Ocho Mil Doscientos Veinticinco Pesos 00/100 M.N.'],
  [1500000000, 'Millones de Pesos 00/100 M.N.'],
  [1234567890, 'Treinta y Cuatro Millones de Quinientos Sesenta y Siete Mil Ochocientos Noventa Pesos 00/100 M.N.'],
  [19.995, 'Diecinueve Pesos 100/100 M.N.'],
  [1000001, 'Un Millón de Un Pesos 00/100 M.N.'],
]) {
  console.log(amount, NumerosALetras(amount))
  strictEqual(NumerosALetras(amount), seen)
}
JS
node check.mjs
echo 'unchanged: large amounts lose their first digits, and cents reach 100'
