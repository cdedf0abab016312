/**
 * A small writer of Excel workbooks: values, formulas with their results, styles, lists to choose from, frozen panes and
 * print set-up. It exists because none of the packages we have writes .xlsx; it knows only what the scorecard uses.
 */
import { zip } from './zip.ts'

export interface Style {
  font?: 'Arial' | 'Georgia'
  size?: number // points
  bold?: boolean
  italic?: boolean
  color?: string // RRGGBB
  fill?: string
  /** Hairline below, or on all four sides. */
  border?: 'bottom' | 'all'
  format?: string
  align?: 'left' | 'center' | 'right'
  valign?: 'top' | 'center'
  wrap?: boolean
  indent?: number
}

export interface Cell {
  value?: string | number
  /** Without the equals sign. `value` is its result, for viewers that do not calculate. */
  formula?: string
  style?: Style
}

export interface Validation {
  range: string
  type: 'list' | 'whole' | 'decimal' | 'date'
  /** A list's choices ("Yes,No" in quotes, or a range); else the lower limit. */
  from: string
  /** The upper limit; without it anything from the lower limit on is accepted. */
  to?: string
  /** Shown when the cell is selected. */
  hint?: string
  /** Shown when the entry is refused. */
  error: string
}

/** Colors a cell when the formula, written for the first cell of the range, is true. */
export interface Highlight {
  range: string
  formula: string
  color: string
  bold?: boolean
}

export interface Sheet {
  name: string
  tab?: string
  columns: number[] // widths in characters
  cells: Map<string, Cell>
  heights?: Record<number, number> // row: points
  merges?: string[]
  /** The first cell that scrolls. */
  freeze?: string
  validations?: Validation[]
  highlights?: Highlight[]
  landscape?: boolean
  /** Rows repeated on every printed page, as "5:5". */
  repeatRows?: string
  printArea?: string
  /** Printed on a single page; else as wide as one page and as long as needed. */
  onePage?: boolean
}

export interface Workbook {
  title: string
  creator: string
  created: Date
  sheets: Sheet[]
  names: Record<string, string>
}

const escape = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const pack = 'http://schemas.openxmlformats.org/package/2006'

/** Days since the epoch that Excel counts from. */
export const excelDate = (year: number, month: number, day: number) =>
  Math.round(Date.UTC(year, month - 1, day) / 86_400_000) + 25_569

/** 1 -> A, 27 -> AA */
export function columnName(index: number): string {
  return index > 26
    ? columnName(Math.floor((index - 1) / 26)) + columnName(((index - 1) % 26) + 1)
    : String.fromCharCode(64 + index)
}

function splitRef(ref: string): { column: number; row: number } {
  const [, letters = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(ref) ?? []
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { column, row: Number(digits) }
}

/** Collects the styles in use and writes styles.xml; equal styles share one number. */
class Styles {
  private fonts = ['<font><sz val="10"/><color rgb="FF2A251E"/><name val="Arial"/><family val="2"/></font>']
  private fills = [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ]
  private borders = ['<border><left/><right/><top/><bottom/><diagonal/></border>']
  private formats: string[] = []
  private cells = ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>']
  private highlights: string[] = []

  private static index(list: string[], item: string): number {
    const at = list.indexOf(item)
    return at >= 0 ? at : list.push(item) - 1
  }

  cell(style: Style | undefined): number {
    if (!style) return 0
    const font = Styles.index(
      this.fonts,
      `<font>${style.bold ? '<b/>' : ''}${style.italic ? '<i/>' : ''}<sz val="${style.size ?? 10}"/><color rgb="FF${style.color ?? '2A251E'}"/><name val="${style.font ?? 'Arial'}"/><family val="${style.font === 'Georgia' ? 1 : 2}"/></font>`,
    )
    const fill = style.fill
      ? Styles.index(
          this.fills,
          `<fill><patternFill patternType="solid"><fgColor rgb="FF${style.fill}"/><bgColor indexed="64"/></patternFill></fill>`,
        )
      : 0
    const side = (name: string, on: boolean) =>
      on ? `<${name} style="thin"><color rgb="FFD3CABA"/></${name}>` : `<${name}/>`
    const all = style.border === 'all'
    const border = style.border
      ? Styles.index(
          this.borders,
          `<border>${side('left', all)}${side('right', all)}${side('top', all)}${side('bottom', true)}<diagonal/></border>`,
        )
      : 0
    const format = style.format ? 164 + Styles.index(this.formats, style.format) : 0
    const alignment = `<alignment${style.align ? ` horizontal="${style.align}"` : ''} vertical="${style.valign ?? 'center'}"${style.wrap ? ' wrapText="1"' : ''}${style.indent ? ` indent="${style.indent}"` : ''}/>`
    return Styles.index(
      this.cells,
      `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${alignment}</xf>`,
    )
  }

  highlight({ color, bold }: Highlight): number {
    return Styles.index(this.highlights, `<dxf><font>${bold ? '<b/>' : ''}<color rgb="FF${color}"/></font></dxf>`)
  }

  toXml(): string {
    const list = (name: string, items: string[]) =>
      items.length ? `<${name} count="${items.length}">${items.join('')}</${name}>` : ''
    const formats = this.formats.map(
      (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escape(code)}"/>`,
    )
    return `${xml}<styleSheet xmlns="${main}">${list('numFmts', formats)}${list('fonts', this.fonts)}${list('fills', this.fills)}${list('borders', this.borders)}<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>${list('cellXfs', this.cells)}<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>${list('dxfs', this.highlights)}</styleSheet>`
  }
}

function cellXml(ref: string, cell: Cell, styles: Styles): string {
  const style = styles.cell(cell.style)
  const { value, formula } = cell
  if (formula !== undefined) {
    const type = typeof value === 'string' ? ' t="str"' : ''
    return `<c r="${ref}" s="${style}"${type}><f>${escape(formula)}</f><v>${escape(String(value ?? ''))}</v></c>`
  }
  if (typeof value === 'number') return `<c r="${ref}" s="${style}"><v>${value}</v></c>`
  if (value) return `<c r="${ref}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escape(value)}</t></is></c>`
  return `<c r="${ref}" s="${style}"/>`
}

function sheetXml(sheet: Sheet, styles: Styles, first: boolean, footer: string): string {
  const rows = new Map<number, [number, string][]>()
  for (const [ref, cell] of sheet.cells) {
    const { column, row } = splitRef(ref)
    const cells = rows.get(row) ?? []
    cells.push([column, cellXml(ref, cell, styles)])
    rows.set(row, cells)
  }
  const data = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([row, cells]) => {
      const height = sheet.heights?.[row]
      const inner = cells.sort(([a], [b]) => a - b).map(([, text]) => text)
      return `<row r="${row}"${height ? ` ht="${height}" customHeight="1"` : ''}>${inner.join('')}</row>`
    })

  let pane = ''
  if (sheet.freeze) {
    const { column, row } = splitRef(sheet.freeze)
    const x = column > 1 ? ` xSplit="${column - 1}"` : ''
    const y = row > 1 ? ` ySplit="${row - 1}"` : ''
    const active = x && y ? 'bottomRight' : x ? 'topRight' : 'bottomLeft'
    pane = `<pane${x}${y} topLeftCell="${sheet.freeze}" activePane="${active}" state="frozen"/><selection pane="${active}" activeCell="${sheet.freeze}" sqref="${sheet.freeze}"/>`
  }

  const highlights = (sheet.highlights ?? []).map(
    (rule, index) =>
      `<conditionalFormatting sqref="${rule.range}"><cfRule type="expression" dxfId="${styles.highlight(rule)}" priority="${index + 1}"><formula>${escape(rule.formula)}</formula></cfRule></conditionalFormatting>`,
  )
  const validations = (sheet.validations ?? []).map((rule) => {
    const operator =
      rule.type === 'list' ? '' : ` operator="${rule.to === undefined ? 'greaterThanOrEqual' : 'between'}"`
    const hint = rule.hint ? ` showInputMessage="1" prompt="${escape(rule.hint)}"` : ''
    const to = rule.to === undefined ? '' : `<formula2>${escape(rule.to)}</formula2>`
    return `<dataValidation type="${rule.type}"${operator} allowBlank="1"${hint} showErrorMessage="1" errorTitle="Please check" error="${escape(rule.error)}" sqref="${rule.range}"><formula1>${escape(rule.from)}</formula1>${to}</dataValidation>`
  })

  return [
    `${xml}<worksheet xmlns="${main}">`,
    `<sheetPr>${sheet.tab ? `<tabColor rgb="FF${sheet.tab}"/>` : ''}<pageSetUpPr fitToPage="1"/></sheetPr>`,
    `<sheetViews><sheetView showGridLines="0"${first ? ' tabSelected="1"' : ''} workbookViewId="0">${pane}</sheetView></sheetViews>`,
    '<sheetFormatPr defaultRowHeight="15"/>',
    `<cols>${sheet.columns.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('')}</cols>`,
    `<sheetData>${data.join('')}</sheetData>`,
    sheet.merges?.length
      ? `<mergeCells count="${sheet.merges.length}">${sheet.merges.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`
      : '',
    ...highlights,
    validations.length
      ? `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>`
      : '',
    '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.35"/>',
    `<pageSetup paperSize="1" orientation="${sheet.landscape ? 'landscape' : 'portrait'}" fitToWidth="1" fitToHeight="${sheet.onePage ? 1 : 0}"/>`,
    `<headerFooter><oddFooter>${escape(`&L&8${footer}, ${sheet.name}&R&8Page &P of &N`)}</oddFooter></headerFooter>`,
    '</worksheet>',
  ].join('')
}

export function writeWorkbook(book: Workbook): Buffer {
  const styles = new Styles()
  const sheets = book.sheets.map((sheet, index) =>
    sheetXml(sheet, styles, index === 0, `${book.creator} · ${book.title}`),
  )
  const created = book.created.toISOString().replace('.000Z', 'Z')

  const quoted = (sheet: Sheet) => `'${sheet.name.replace(/'/g, "''")}'`
  const absolute = (range: string) =>
    range.replace(/([A-Z]+)?(\d+)/g, (_, letters, digits) => `${letters ? `$${letters}` : ''}$${digits}`)
  const names = [
    ...Object.entries(book.names).map(([name, ref]) => `<definedName name="${name}">${escape(ref)}</definedName>`),
    ...book.sheets.flatMap((sheet, index) => [
      sheet.printArea
        ? `<definedName name="_xlnm.Print_Area" localSheetId="${index}">${escape(quoted(sheet))}!${absolute(sheet.printArea)}</definedName>`
        : '',
      sheet.repeatRows
        ? `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">${escape(quoted(sheet))}!${absolute(sheet.repeatRows)}</definedName>`
        : '',
    ]),
  ]

  const part = (name: string, type: string) =>
    `<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`
  const files: Record<string, string> = {
    '[Content_Types].xml': `${xml}<Types xmlns="${pack}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', 'sheet.main')}${sheets.map((_, index) => part(`/xl/worksheets/sheet${index + 1}.xml`, 'worksheet')).join('')}${part('/xl/styles.xml', 'styles')}<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    '_rels/.rels': `${xml}<Relationships xmlns="${pack}/relationships">${relation('rId1', `${rel}/officeDocument`, 'xl/workbook.xml')}${relation('rId2', `${pack}/relationships/metadata/core-properties`, 'docProps/core.xml')}</Relationships>`,
    'docProps/core.xml': `${xml}<cp:coreProperties xmlns:cp="${pack}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escape(book.title)}</dc:title><dc:creator>${escape(book.creator)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${created}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${created}</dcterms:modified></cp:coreProperties>`,
    'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${rel}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${book.sheets.map((sheet, index) => `<sheet name="${escape(sheet.name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets><definedNames>${names.join('')}</definedNames><calcPr calcId="191029" fullCalcOnLoad="1"/></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${pack}/relationships">${sheets.map((_, index) => relation(`rId${index + 1}`, `${rel}/worksheet`, `worksheets/sheet${index + 1}.xml`)).join('')}${relation(`rId${sheets.length + 1}`, `${rel}/styles`, 'styles.xml')}</Relationships>`,
  }
  sheets.forEach((text, index) => {
    files[`xl/worksheets/sheet${index + 1}.xml`] = text
  })
  files['xl/styles.xml'] = styles.toXml()
  return zip(files)
}
