/** A workbook as printable HTML, one page for each sheet, for the pictures of its pages. */
import { type Cell, columnName, excelDate, type Sheet, type Style, type Workbook } from './workbook.ts'

const escape = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\n/g, '<br>')

/** Rows and columns that a page shows of a long sheet. */
const maxRows = 46

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A number as its cell format shows it; knows only the formats in use. */
function format(value: number, code = ''): string {
  const sign = value < 0 ? '-' : ''
  const fixed = (digits: number) =>
    Math.abs(value).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (code.includes('mmm')) {
    const date = new Date((value - excelDate(1970, 1, 1)) * 86_400_000)
    const name = months[date.getUTCMonth()] ?? ''
    const prefix = /^"(.*?)"/.exec(code)?.[1] ?? ''
    return `${prefix}${name}${code.includes('d,') ? ` ${date.getUTCDate()},` : ''} ${date.getUTCFullYear()}`
  }
  if (code.startsWith('0"')) return `${value}${code.slice(2, -1)}`
  if (code.startsWith('$')) return `${sign}$${fixed(2)}`
  if (code.includes('%')) return `${Math.round(value * 100)}%`
  if (code.startsWith('#,##0.0')) return `${sign}${fixed(1)}`
  if (code.startsWith('#,##0')) return `${sign}${fixed(0)}`
  return `${value}`
}

function css(style: Style = {}, value: string | number | undefined): string {
  const align = style.align ?? (typeof value === 'number' ? 'right' : 'left')
  const line = '1px solid #d3caba'
  return [
    `font-size:${style.size ?? 10}pt`,
    `color:#${style.color ?? '2a251e'}`,
    `text-align:${align}`,
    `vertical-align:${style.valign === 'top' ? 'top' : 'middle'}`,
    style.font === 'Georgia' ? 'font-family:Georgia,"Liberation Serif",serif' : '',
    style.bold ? 'font-weight:bold' : '',
    style.italic ? 'font-style:italic' : '',
    style.fill ? `background:#${style.fill}` : '',
    style.border === 'all' ? `border:${line}` : style.border ? `border-bottom:${line}` : '',
    style.wrap ? '' : 'white-space:nowrap',
    style.indent ? 'padding-left:8pt' : '',
  ]
    .filter(Boolean)
    .join(';')
}

function cellHtml(cell: Cell | undefined, span: number): string {
  const colspan = span > 1 ? ` colspan="${span}"` : ''
  if (!cell) return `<td${colspan}></td>`
  const { value, style } = cell
  const text = typeof value === 'number' ? format(value, style?.format) : (value ?? '')
  return `<td${colspan} style='${css(style, value)}'>${escape(text)}</td>`
}

function sheetHtml(sheet: Sheet): string {
  const printed = /:([A-Z]+)(\d+)$/.exec(sheet.printArea ?? '')
  const rowsOf = [...sheet.cells.keys()].map((ref) => Number(ref.replace(/\D/g, '')))
  const lastRow = Math.min(maxRows, printed ? Number(printed[2]) : Math.max(...rowsOf))
  const names = sheet.columns.map((_, index) => columnName(index + 1))
  const shown = printed ? names.slice(0, names.indexOf(printed[1] ?? '') + 1) : names
  const spans = new Map<string, number>()
  for (const merge of sheet.merges ?? []) {
    const [, from = '', row = '', to = ''] = /^([A-Z]+)(\d+):([A-Z]+)\d+$/.exec(merge) ?? []
    spans.set(`${from}${row}`, names.indexOf(to) - names.indexOf(from) + 1)
  }
  const rows: string[] = []
  for (let row = 1; row <= lastRow; row++) {
    const cells: string[] = []
    for (let column = 0; column < shown.length; column++) {
      const ref = `${shown[column]}${row}`
      const cell = sheet.cells.get(ref)
      // A title without wrapping runs over the empty cells beside it, as in a spreadsheet.
      const free = cell && !cell.style?.wrap && !cell.style?.border ? shown.length - column : 1
      const next = shown.slice(column + 1, column + free).findIndex((name) => sheet.cells.has(`${name}${row}`))
      const span = spans.get(ref) ?? (next < 0 ? free : next + 1)
      cells.push(cellHtml(cell, span))
      column += span - 1
    }
    rows.push(`<tr style="height:${sheet.heights?.[row] ?? 15}pt">${cells.join('')}</tr>`)
  }
  const total = sheet.columns.slice(0, shown.length).reduce((sum, width) => sum + width, 0)
  // A column is as wide as its number of digits of 10-point Arial, plus padding.
  const widthPt = total * 5.6
  const heightPt = Array.from({ length: lastRow }, (_, index) => sheet.heights?.[index + 1] ?? 15).reduce(
    (sum, height) => sum + height,
    0,
  )
  const zoom = Math.min(1, 720 / widthPt, 500 / heightPt)
  const columns = sheet.columns
    .slice(0, shown.length)
    .map((width) => `<col style="width:${((width / total) * 100).toFixed(2)}%">`)
  return `<section><div style="width:${widthPt}pt;zoom:${zoom.toFixed(4)}"><table><colgroup>${columns.join('')}</colgroup>${rows.join('')}</table></div><footer>${escape(sheet.name)}</footer></section>`
}

export const workbookHtml = (book: Workbook): string => `<!doctype html><meta charset="utf-8"><style>
@page { size: 11in 8.5in; margin: 0.5in; }
body { margin: 0; font: 10pt Arial, "Liberation Sans", sans-serif; color: #2a251e; }
section { position: relative; height: 7.45in; overflow: hidden; break-after: page; }
section:last-child { break-after: auto; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
td { padding: 1pt 3pt; overflow: hidden; line-height: 1.2; }
footer { position: absolute; left: 0; bottom: 0; font-size: 8pt; color: #5f584e; }
</style>${book.sheets.map(sheetHtml).join('')}`
