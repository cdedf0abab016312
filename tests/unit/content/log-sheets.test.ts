import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Sheet, Workbook } from '../../../content/guides/source/workbook.ts'
import { logNames, logWorkbook } from '../../../content/sheets/source/logs.ts'
import { evaluateFormula } from './evaluate-formula.ts'

const content = new URL('../../../content/', import.meta.url)
const imprint = { publication: 'Front Counter', edition: new Date('2026-11-01T00:00:00Z') }
const book = (name: string) => logWorkbook(name, imprint)
type Value = string | number

function sheetOf({ sheets }: Workbook, name: string): Sheet {
  const sheet = sheets.find((one) => one.name === name)
  if (!sheet) throw new Error(`There is no sheet ${name}`)
  return sheet
}

/** Calculates a cell from what is typed in, ignoring the results that the file has. */
function calculate(workbook: Workbook, sheet: Sheet, ref: string): Value {
  const cell = sheet.cells.get(ref)
  if (!cell?.formula) return cell?.value ?? ''
  return evaluateFormula(cell.formula, (reference) => {
    const [, quoted, plain, range = ''] = /^(?:'([^']+)'!|([A-Za-z]+)!)?(.+)$/.exec(reference.replaceAll('$', '')) ?? []
    const name = quoted ?? plain
    const from = name === undefined ? sheet : sheetOf(workbook, name)
    return cellsIn(range).map((one) => calculate(workbook, from, one))
  })
}

function cellsIn(range: string): string[] {
  const [, column = '', first = '', last = first] = /^([A-Z]+)(\d+)(?::[A-Z]+(\d+))?$/.exec(range) ?? []
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${column}${Number(first) + index}`)
}

test.each(logNames)('%s: every formula gives the result that the file shows', (name) => {
  const workbook = book(name)
  const formulas = workbook.sheets.flatMap((sheet) =>
    [...sheet.cells].flatMap(([ref, { formula, value }]) => (formula ? [{ sheet, ref, value: value ?? '' }] : [])),
  )
  expect(formulas.length).toBeGreaterThan(30)
  for (const { sheet, ref, value } of formulas) {
    expect(calculate(workbook, sheet, ref), `${sheet.name} ${ref}`).toBe(value)
  }
})

test.each([
  ['delivery-log', 'Example', { J2: 1730, K2: 0, L2: 0, M2: 36, N2: 0.21 }],
  // 46355 is November 29, 2026.
  ['claim-log', 'Example', { H2: 225, I2: 46_355 }],
  ['royalty-log', 'Example', { B17: 3, B18: 56_430, B21: 3385.8, B22: 1128.6, B24: 1800 }],
])('%s: the example has the figures of its drop', (name, sheet, results) => {
  const workbook = book(name)
  for (const [ref, value] of Object.entries(results)) {
    expect(calculate(workbook, sheetOf(workbook, sheet), ref), ref).toBe(value)
  }
})

test.each([
  ['delivery-log', 54],
  ['claim-log', 101],
])('%s: its last line calculates like the example', (name, last) => {
  const workbook = book(name)
  const [log, example] = [sheetOf(workbook, 'Log'), sheetOf(workbook, 'Example')]
  const results = [...example.cells].filter(([ref]) => ref.endsWith('2'))
  for (const [ref, { value, formula }] of results) {
    const target = log.cells.get(`${ref[0]}${last}`)
    if (!formula && target) target.value = value
  }
  for (const [ref, { value, formula }] of results) {
    if (formula) expect(calculate(workbook, log, `${ref[0]}${last}`), ref).toBe(value)
  }
})

test('money that doesn’t arrive shows in its column', () => {
  const workbook = book('delivery-log')
  const example = sheetOf(workbook, 'Example')
  example.cells.set('I2', { value: 1700.1 })
  expect(calculate(workbook, example, 'L2')).toBe(29.9)
  example.cells.set('D2', { value: 505 })
  expect(calculate(workbook, example, 'K2')).toBe(-1)
})

test('sums of the claim log count what is typed', () => {
  const workbook = book('claim-log')
  const log = sheetOf(workbook, 'Log')
  for (const [ref, value] of Object.entries({ F2: 450, G2: 0.5, L2: 200, F101: 99.99, G101: 0.25 })) {
    log.cells.set(ref, { value })
  }
  const totals = sheetOf(workbook, 'Totals')
  expect(['B2', 'B3', 'B4'].map((ref) => calculate(workbook, totals, ref))).toEqual([250, 200, 50])
})

test('texts link to each log, and to no other', () => {
  const drops = readdirSync(new URL('drops/', content)).map((file) =>
    readFileSync(new URL(`drops/${file}`, content), 'utf8'),
  )
  const links = drops.flatMap((text) => [...text.matchAll(/\/downloads\/sheets\/([^)\s]+)/g)].map(([, file]) => file))
  expect(links.sort()).toEqual(logNames.map((name) => `${name}.xlsx`).sort())
})
