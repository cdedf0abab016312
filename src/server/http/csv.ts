/** Spaces and quotes before the sign don't stop a formula, an apostrophe of the text stays one on import, and East Asian spreadsheets also run full-width signs. */
const formulaStart = /(^|[;\t\r\n])(?=(?:["']|[^\S\t\r\n])*[=+\-@|%＝＋－＠｜％])/g

/** The first line, after a byte order mark: without one, spreadsheets show “ZoÃ«”. */
export const csvHeader = (cells: readonly string[]): string => `\ufeff${csvRow(cells)}`

export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/**
 * A text that a spreadsheet won't run as a formula. Adds an apostrophe before each part that starts like a formula, since
 * some spreadsheets also split cells at semicolons and tabs.
 */
export const withoutFormula = (text: string): string => text.replace(formulaStart, "$1'")

/** A quoted cell without formulas. */
export const csvCell = (text: string): string => `"${withoutFormula(text).replaceAll('"', '""')}"`
