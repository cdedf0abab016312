/**
 * Three blank spreadsheets for logs that drops describe, each with a filled example of the drop's invented figures. The
 * formulas are those that the drop asks for, and exist in Excel, Google Sheets and Numbers alike.
 */
import {
  brick,
  calc,
  entry,
  headTint,
  heads,
  left,
  plain,
  row,
  section,
  subtitle,
  text,
  title,
} from '../../guides/source/sheet-styles.ts'
import { type Cell, excelDate, type Sheet, type Workbook, writeWorkbook } from '../../guides/source/workbook.ts'

interface Imprint {
  publication: string
  edition: Date
}

const money = '$#,##0.00;-$#,##0.00;$0.00'
const percent = '0.0%'
const day = 'mmm d, yyyy'

type Kind = 'text' | 'money' | 'percent' | 'date' | 'count'
const formats: Record<Kind, string | undefined> = { text: undefined, money, percent, date: day, count: '0' }

interface Column {
  head: string
  kind: Kind
  /** Written for row 2; without it the column is for typing. */
  formula?: string
  width?: number
}
type Value = string | number

const forRow = (formula: string, at: number) => formula.replace(/\b([A-Z])2\b/g, (_, letter) => `${letter}${at}`)

/** Heads in row 1 and entries from row 2 on, as the drops number them. */
function logSheet(name: string, columns: Column[], rows: Value[][], count: number, more: Partial<Sheet> = {}): Sheet {
  const letters = columns.map(({ kind }) => (kind === 'text' ? 'i' : 'r')).join('')
  const cells = row(1, heads(columns.map(({ head }) => head), letters))
  for (let at = 2; at < count + 2; at++) {
    const values = rows[at - 2] ?? []
    cells.push(
      ...row(
        at,
        columns.map(({ kind, formula }, index): Cell => {
          const style = { format: formats[kind], ...(kind === 'text' && left) }
          const value = values[index] ?? ''
          return formula ? calc(forRow(formula, at), value, style) : entry(style, value === '' ? undefined : value)
        }),
      ),
    )
  }
  return {
    name,
    columns: columns.map(({ width = 14 }) => width),
    cells: new Map(cells),
    heights: { 1: 32 },
    freeze: 'B2',
    landscape: true,
    repeatRows: '1:1',
    ...more,
  }
}

function startSheet(name: string, what: string, steps: string[], settings: [string, Cell, string][] = []): Sheet {
  const cells: [string, Cell][] = [
    ['A1', text(name, title)],
    ['A2', text(what, subtitle)],
    ['A4', text('How to use it', section)],
  ]
  const merges = ['A2:C2']
  const heights: Record<number, number> = { 1: 32, 2: 34 }
  steps.forEach((step, index) => {
    const at = 5 + index
    cells.push([`A${at}`, text(`${index + 1}. ${step}`, { ...plain, valign: 'top' })])
    merges.push(`A${at}:C${at}`)
    heights[at] = 34
  })
  settings.forEach(([label, cell, hint], index) => {
    const at = 5 + steps.length + 1 + index
    cells.push(...row(at, [text(label, { ...plain, bold: true }), cell, text(hint, plain)]))
    heights[at] = 34
  })
  return { name: 'Start here', columns: [34, 16, 60], cells: new Map(cells), merges, heights, landscape: true }
}

const total = (formula: string, value: Value, format = money) =>
  calc(formula, value, { bold: true, fill: headTint, format })

const noNames = 'Enter totals only. Names, orders and card numbers of customers stay in your own systems.'

/** The drop “Audit one week of delivery and marketplace fees”. */
function deliveryLog(): Sheet[] {
  const columns: Column[] = [
    { head: 'Week', kind: 'text', width: 20 },
    { head: 'POS sales', kind: 'money' },
    { head: 'Subtotal', kind: 'money' },
    { head: 'Commission', kind: 'money' },
    { head: 'Offers', kind: 'money' },
    { head: 'Refunds', kind: 'money' },
    { head: 'Other fees', kind: 'money' },
    { head: 'Payout', kind: 'money' },
    { head: 'Deposit', kind: 'money' },
    { head: 'Payout I should get', kind: 'money', formula: 'IF(C2="","",ROUND(C2-D2-E2-F2-G2,2))' },
    { head: 'Short on the statement', kind: 'money', formula: 'IF(H2="","",ROUND(J2-H2,2))' },
    { head: 'Short at the bank', kind: 'money', formula: 'IF(I2="","",ROUND(H2-I2,2))' },
    { head: 'Not on the statement', kind: 'money', formula: 'IF(C2="","",ROUND(B2-C2,2))' },
    { head: 'Rate paid', kind: 'percent', formula: 'IF(C2="","",D2/C2)' },
  ]
  const example = ['Example week', 2436, 2400, 504, 100, 54, 12, 1730, 1730, 1730, 0, 0, 36, 0.21]
  const highlights = [{ range: 'K2:M60', formula: 'AND(K2<>"",ABS(K2)>=0.01)', color: brick, bold: true }]
  return [
    startSheet('Delivery log', 'One line a week for one marketplace and one store. All fees are positive numbers.', [
      'Type columns A to I from the POS, the statement and the bank. Columns J to N calculate.',
      'Red in K, L or M is money to ask about. Column N is the rate you paid: compare it with your contract.',
      'Copy the file for each marketplace and each store. A cut-off hour belongs in column A, beside the week.',
      noNames,
    ]),
    logSheet('Log', columns, [], 53, { highlights }),
    logSheet('Example', columns, [example], 1, { highlights }),
  ]
}

const daysToClaim = "'Start here'!$B$10"

/** The drop “Claim back the local ad money you already spent”. */
function claimLog(): Sheet[] {
  const columns: Column[] = [
    { head: 'Ad', kind: 'text', width: 26 },
    { head: 'Approved', kind: 'date' },
    { head: 'Runs from', kind: 'date' },
    { head: 'Runs to', kind: 'date' },
    { head: 'Invoice', kind: 'money' },
    { head: 'Paid', kind: 'money' },
    { head: 'Share', kind: 'percent' },
    { head: 'To claim', kind: 'money', formula: 'IF(F2="","",ROUND(F2*G2,2))' },
    { head: 'Claim by', kind: 'date', formula: `IF(D2="","",D2+${daysToClaim})` },
    { head: 'Proof', kind: 'text' },
    { head: 'Sent', kind: 'date' },
    { head: 'Money back', kind: 'money' },
  ]
  const date = (month: number, dayOfMonth: number) => excelDate(2026, month, dayOfMonth)
  const example = ['Window posters', date(9, 2), date(9, 15), date(9, 30), 450, 450, 0.5, 225, date(11, 29), 'Yes']
  const highlights = [
    { range: 'I2:I101', formula: 'AND($I2<>"",$I2-TODAY()<14,$K2="")', color: brick, bold: true },
  ]
  const totals: [string, Cell][] = [
    ...row(1, heads(['In the log', 'Dollars'], 'lr')),
    ...row(2, [text('To claim'), total('SUM(Log!H2:H101)', 0)]),
...row(3, [text('Money back'), total('SUM(Log!L2:L101)', 0)]),
    ...row(4, [text('Still open'), total('B2-B3', 0)]),
  ]
  return [
    startSheet(
      'Claim log',
      'One line for each local ad, with the last day on which you can claim.',
      [
        'Type the tinted columns. “To claim” and “Claim by” calculate.',
        '“Claim by” turns red 14 days ahead, until a date is in column K.',
        'Dates count from the last day the ad runs. If your program counts from the invoice, type that day in column D.',
        'Keep invoices and photos in your own folder. No names of customers or employees belong here.',
      ],
      [['Days to claim', entry({ format: '0', align: 'left' }, 60), 'Sample value. Type the number from your own program.']],
    ),
    logSheet('Log', columns, [], 100, { highlights }),
    { name: 'Totals', columns: [24, 16], cells: new Map(totals) },
    logSheet('Example', columns, [example], 1, {}),
  ]
}

const kinds = [
  ['Store sales at list price', 48600, 1],
  ['Marketplace sales', 9400, 1],
  ['Discounts and coupons', 1150, -1],
  ['Refunds and voids', 420, -1],
  ['Gift cards sold', 1800, 0],
  ['Gift cards used', '', ''],
  ['Sales tax', 4060, 0],
  ['Tips', 2310, 0],
  ['Service charges', '', ''],
  ['Staff meals, free items, rewards', '', ''],
] as const

/** Column E shows what a line adds; the sums below are those of the drop. */
function royaltyMonth(name: string, isExample: boolean): Sheet {
  const columns: Column[] = [
    { head: 'Line', kind: 'text', width: 34 },
    { head: 'Total', kind: 'money' },
    { head: 'Counts: 1, 0 or −1', kind: 'count', width: 12 },
    { head: 'Section', kind: 'text', width: 16 },
    { head: 'Adds to the base', kind: 'money', formula: 'IF(C2="","",ROUND(B2*C2,2))' },
    { head: 'Open', kind: 'text', formula: 'IF(AND(A2<>"",C2=""),"Ask","")', width: 10 },
  ]
  const rows = kinds.map(([line, sum, counts]): Value[] =>
    isExample ? [line, sum, counts, '', counts === '' ? '' : Number(sum) * counts, counts === '' ? 'Ask' : ''] : [line, '', '', '', '', 'Ask'],
  )
  const sheet = logSheet(name, columns, rows, 14, { freeze: undefined, repeatRows: undefined })
  const sums: [string, string, string | null, Value, string?][] = [
    ['Lines without a 1, 0 or −1', 'Decide these, or ask', 'COUNTIF(F2:F15,"Ask")', isExample ? 3 : 10, '0'],
    ['Base', '', 'SUMPRODUCT(B2:B15,C2:C15)', isExample ? 56430 : 0],
    ['Royalty rate', 'From your agreement', null, 0.06, percent],
    ['Ad fund rate', 'From your agreement', null, 0.02, percent],
    ['Royalty', '', 'ROUND(B18*B19,2)', isExample ? 3385.8 : 0],
    ['Ad fund', '', 'ROUND(B18*B20,2)', isExample ? 1128.6 : 0],
    ['Base in their report', 'Type it', null, isExample ? 58230 : ''],
    ['Difference', 'Look for it in column B', 'IF(B23="","",ROUND(B23-B18,2))', isExample ? 1800 : ''],
  ]
  sums.forEach(([label, hint, formula, value, format = money], index) => {
    const at = 17 + index
    const cell = formula === null ? entry({ format }, value === '' ? undefined : value) : total(formula, value, format)
    for (const [ref, one] of row(at, [text(label, { ...plain, bold: true }), cell, text(hint, plain)])) sheet.cells.set(ref, one)
    sheet.merges = [...(sheet.merges ?? []), `C${at}:F${at}`]
  })
  return { ...sheet, onePage: true }
}

/** The drop “Check last month’s royalty and ad fund, line by line”. */
function royaltyLog(): Sheet[] {
  const columns: Column[] = [
    { head: 'Month', kind: 'text', width: 18 },
    { head: 'Base in our sheet', kind: 'money' },
    { head: 'Base in their report', kind: 'money' },
    { head: 'Difference', kind: 'money', formula: 'IF(C2="","",ROUND(C2-B2,2))' },
    { head: 'Charged', kind: 'money' },
    { head: 'Charged ÷ our base', kind: 'percent', formula: 'IF(OR(B2="",B2=0),"",E2/B2)' },
    { head: 'Line that explains it', kind: 'text', width: 26 },
    { head: 'Asked on', kind: 'date' },
    { head: 'Their answer', kind: 'text', width: 34 },
  ]
  return [
    startSheet('Royalty log', 'One month, line by line, and a log of the months.', [
      'Month: write 1, 0 or −1 beside each kind of money, by hand, from your own agreement. The agreement stays out of AI tools.',
      'Type last month’s totals from the POS in column B. The lines in column A are samples; change them to yours.',
      'Type both rates and the base in their report. A difference is a question, not a verdict: keep paying on time while you ask.',
      'Log: one line a month. Copy the sheet Month for each new one. If you owe more, call your franchise attorney first.',
    ]),
    royaltyMonth('Month', false),
    logSheet('Log', columns, [], 36),
    royaltyMonth('Example', true),
  ]
}

const logs: Record<string, { title: string; sheets: () => Sheet[] }> = {
  'royalty-log': { title: 'Royalty log', sheets: royaltyLog },
  'claim-log': { title: 'Claim log', sheets: claimLog },
  'delivery-log': { title: 'Delivery log', sheets: deliveryLog },
}
export const logNames = Object.keys(logs)

export function logWorkbook(name: string, imprint: Imprint): Workbook {
  const log = logs[name]
  if (!log) throw new Error(`There is no log ${name}`)
  return { title: log.title, creator: imprint.publication, created: imprint.edition, sheets: log.sheets(), names: {} }
}

export const buildLog = (name: string, imprint: Imprint) => writeWorkbook(logWorkbook(name, imprint))
