/** Styles and small helpers that all our workbooks share. Tinted cells are for typing. */
import { type Cell, columnName, type Style } from './workbook.ts'

export const pine = '1F4D3F'
export const brick = '9A3324'
export const amber = '80560A'
export const muted = '5F584E'
const inputTint = 'FFF6DD'
export const headTint = 'EDF2EE'

export const plain: Style = { border: 'bottom', wrap: true }
export const title: Style = { font: 'Georgia', size: 20, color: pine }
export const subtitle: Style = { size: 10, color: muted, wrap: true, valign: 'top' }
export const section: Style = { font: 'Georgia', size: 13, bold: true, color: pine }
export const head: Style = { bold: true, size: 9, color: pine, fill: headTint, border: 'bottom', wrap: true }
export const input: Style = { fill: inputTint, border: 'all', wrap: true }
export const left: Style = { align: 'left', indent: 1 }
export const center: Style = { align: 'center' }

export const text = (value: string, style: Style = plain): Cell => ({ value, style })
export const entry = (style: Style = {}, value?: string | number): Cell => ({ value, style: { ...input, ...style } })
export const calc = (formula: string, value: string | number, style: Style = {}): Cell => ({
  formula,
  value,
  style: { ...plain, ...style },
})

const alignments: Record<string, Style> = {
  l: { align: 'left' },
  i: { align: 'left', indent: 1 },
  c: { align: 'center' },
  r: { align: 'right' },
}

/** Heads of columns, each aligned like its column: one letter each, l(eft), i(ndented), c(enter) or r(ight). */
export const heads = (labels: string[], letters: string): Cell[] =>
  labels.map((label, index) => text(label, { ...head, ...alignments[letters[index] ?? 'l'] }))

/** Cells of one row, from column A on. */
export function row(number: number, cells: Cell[]): [string, Cell][] {
  return cells.map((cell, index) => [`${columnName(index + 1)}${number}`, cell])
}
