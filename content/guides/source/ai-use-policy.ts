/**
 * The template "AI Use Policy for a Franchise Location": a Word file on US Letter. Blanks are content controls (click and
 * type), ticks are check boxes, headings are real heading styles; the fonts are on every office computer.
 */
import {
  AlignmentType,
  BorderStyle,
  BuilderElement,
  CheckBox,
  Document,
  Footer,
  Header,
  HeadingLevel,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Tab,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TabStopType,
  TextRun,
  WidthType,
} from 'docx'
import { type Block, policyBlocks } from './policy-text.ts'
import { withFixedZipDates } from './zip.ts'

const pine = '1F4D3F'
const muted = '5F584E'
const line = 'CFC6B5'
const fillTint = 'FFF1CC'
const noteTint = 'FBF7EE'

/** Text width between the margins, in twentieths of a point: 8.5 in less 1 in on either side. */
const textWidth = 9360

const fillIn = { color: '6B4A00', shading: { type: ShadingType.CLEAR, fill: fillTint, color: 'auto' } }

/** A blank: a content control that shows its prompt until the reader types. */
function blank(prompt: string): ParagraphChild {
  const val = (name: string, value: string) =>
    new BuilderElement({ name, attributes: { val: { key: 'w:val', value } } })
  return new BuilderElement({
    name: 'w:sdt',
    children: [
      new BuilderElement({
        name: 'w:sdtPr',
        children: [
          val('w:alias', prompt),
          val(
            'w:tag',
            prompt
              .toLowerCase()
              .replace(/[^a-z0-9]+/g, '-')
              .slice(0, 60),
          ),
          new BuilderElement({ name: 'w:showingPlcHdr' }),
          // No kind of control is named, so it is a rich-text one: LibreOffice drops the tint of plain-text controls.
        ],
      }),
      new BuilderElement({
        name: 'w:sdtContent',
        children: [new TextRun({ text: `[${prompt}]`, style: 'FillIn', ...fillIn })],
      }),
    ],
  }) as unknown as ParagraphChild
}

/** Plain text with **bold** parts and {blanks to fill in}. */
function inline(text: string): ParagraphChild[] {
  return text
    .split(/(\*\*.+?\*\*|\{.+?\})/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('**')) return new TextRun({ text: part.slice(2, -2), bold: true })
      if (part.startsWith('{')) return blank(part.slice(1, -1))
      return new TextRun(part)
    })
}

/** Lists with different `instance` numbers count from 1 each. */
const listItem = (reference: 'bullets' | 'steps', text: string, instance = 0) =>
  new Paragraph({ style: 'ListItem', numbering: { reference, level: 0, instance }, children: inline(text) })

const tick = (text: string, checked = false) =>
  new Paragraph({
    style: 'ListItem',
    indent: { left: 360, hanging: 360 },
    tabStops: [{ type: TabStopType.LEFT, position: 360 }],
    children: [
      new CheckBox({
        alias: 'Tick if this applies',
        checked,
        checkedState: { value: '2612', font: 'MS Gothic' },
        uncheckedState: { value: '2610', font: 'MS Gothic' },
      }) as unknown as ParagraphChild,
      new TextRun({ children: [new Tab()] }),
      ...inline(text),
    ],
  })

const none = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const hairline = { style: BorderStyle.SINGLE, size: 4, color: line }

/** `widths` are parts of the text width. */
function table({ widths, header, rows, rowHeightTwips }: Extract<Block, { kind: 'table' }>): Table {
  const total = widths.reduce((sum, width) => sum + width, 0)
  const columnWidths = widths.map((width) => Math.round((width / total) * textWidth))
  const cell = (text: string, column: number, style: string) =>
    new TableCell({
      width: { size: columnWidths[column] ?? 0, type: WidthType.DXA },
      margins: { top: 60, bottom: 60, left: column === 0 ? 0 : 100, right: 100 },
      children: text.split('\n').map((part) => new Paragraph({ style, children: inline(part) })),
    })
  const row = (cells: string[], style: string) =>
    new TableRow({
      tableHeader: style === 'TableHead',
      cantSplit: true,
      height: rowHeightTwips && style !== 'TableHead' ? { value: rowHeightTwips, rule: 'atLeast' } : undefined,
      children: cells.map((text, column) => cell(text, column, style)),
    })
  return new Table({
    width: { size: textWidth, type: WidthType.DXA },
    columnWidths,
    layout: TableLayoutType.FIXED,
    borders: {
      top: hairline,
      bottom: hairline,
      left: none,
      right: none,
      insideHorizontal: hairline,
      insideVertical: none,
    },
    rows: [...(header ? [row(header, 'TableHead')] : []), ...rows.map((cells) => row(cells, 'TableText'))],
  })
}

/** A paragraph of the tinted block with instructions. */
const note = (children: ParagraphChild[], last = false) =>
  new Paragraph({
    style: 'Note',
    shading: { type: ShadingType.CLEAR, fill: noteTint, color: 'auto' },
    border: { left: { style: BorderStyle.SINGLE, size: 18, color: 'E0A030', space: 8 } },
    spacing: { after: last ? 200 : 0 },
    children,
  })

/** Index of the first block of the numbered list that this block is part of. */
function listStart(index: number): number {
  let first = index
  while (policyBlocks[first - 1]?.kind === 'numbered') first--
  return first
}

function blockToWord(block: Block, index: number): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'title':
      return [new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(block.text)] })]
    case 'subtitle':
      return [new Paragraph({ style: 'Subtitle', children: inline(block.text) })]
    case 'heading':
      return [
        new Paragraph({
          heading: HeadingLevel.HEADING_1,
          pageBreakBefore: block.pageBreak,
          children: [new TextRun(block.text)],
        }),
      ]
    case 'label':
      return [
        new Paragraph({
          spacing: { before: 200, after: 80 },
          keepNext: true,
          children: [new TextRun({ text: block.text, bold: true })],
        }),
      ]
    case 'para':
      return [new Paragraph({ spacing: { before: 80 }, children: inline(block.text) })]
    case 'bullet':
      return [listItem('bullets', block.text)]
    case 'numbered':
      return [listItem('steps', block.text, listStart(index))]
    case 'tick':
      return [tick(block.text, block.checked)]
    case 'note':
      return block.lines.map((line, index) =>
        note(index === 0 ? [new TextRun({ text: line, bold: true })] : inline(line), index === block.lines.length - 1),
      )
    case 'table':
      return [table(block)]
  }
}

/** Builds the Word file. `edition` is its creation date, so that the same text gives the same bytes. */
export async function buildUsePolicy(imprint: { publication: string; edition: Date }): Promise<Uint8Array> {
  const small = { size: 16, color: muted }
  const rightTab = [{ type: TabStopType.RIGHT, position: textWidth }]
  const doc = new Document({
    styles: {
      default: {
        document: {
          run: { font: 'Arial', size: 20, language: { value: 'en-US' } },
          paragraph: { spacing: { after: 100, line: 264 } },
        },
        title: { run: { font: 'Georgia', size: 52, color: pine }, paragraph: { spacing: { before: 160, after: 40 } } },
        heading1: {
          run: { font: 'Georgia', size: 26, bold: true, color: pine },
          paragraph: { spacing: { before: 260, after: 90 }, keepNext: true },
        },
      },
      paragraphStyles: [
        {
          id: 'Subtitle',
          name: 'Subtitle',
          basedOn: 'Normal',
          run: { size: 24, color: muted },
          paragraph: { spacing: { after: 240 } },
        },
        { id: 'ListItem', name: 'List Item', basedOn: 'Normal', paragraph: { spacing: { after: 50 } } },
        {
          id: 'TableText',
          name: 'Table Text',
          basedOn: 'Normal',
          run: { size: 18 },
          paragraph: { spacing: { after: 40, line: 250 } },
        },
        {
          id: 'TableHead',
          name: 'Table Head',
          basedOn: 'TableText',
          run: { bold: true, color: muted },
          paragraph: { keepNext: true, spacing: { after: 20 } },
        },
        {
          id: 'Note',
          name: 'Note',
          basedOn: 'Normal',
          run: { size: 18 },
          paragraph: { indent: { left: 200 }, spacing: { line: 270 } },
        },
      ],
      characterStyles: [
        {
          id: 'FillIn',
          name: 'Fill In',
          run: fillIn,
        },
      ],
    },
    numbering: {
      config: [
        {
          reference: 'bullets',
          levels: [
            {
              level: 0,
              format: LevelFormat.BULLET,
              text: '•',
              alignment: AlignmentType.LEFT,
              style: { paragraph: { indent: { left: 360, hanging: 240 } } },
            },
          ],
        },
        {
          reference: 'steps',
          levels: [
            {
              level: 0,
              format: LevelFormat.DECIMAL,
              text: '%1.',
              alignment: AlignmentType.LEFT,
              style: { paragraph: { indent: { left: 360, hanging: 360 } } },
            },
          ],
        },
      ],
    },
    sections: [
      {
        properties: {
          page: {
            size: { width: 12240, height: 15840 },
            margin: { top: 1240, bottom: 1140, left: 1440, right: 1440, header: 620, footer: 560 },
          },
        },
        headers: {
          default: new Header({
            children: [
              new Paragraph({
                tabStops: rightTab,
                border: { bottom: { ...hairline, space: 4 } },
                children: [
                  new TextRun({ text: 'AI Use Policy', ...small }),
                  new TextRun({ children: [new Tab()], ...small }),
                  new TextRun({ text: 'Not sure this is the current version? Ask the policy owner.', ...small }),
                ],
              }),
            ],
          }),
        },
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                tabStops: rightTab,
                children: [
                  new TextRun({
                    text: `Based on a template by ${imprint.publication}, ${imprint.edition.getUTCFullYear()} edition. Not legal advice.`,
                    ...small,
                  }),
                  new TextRun({
                    children: [new Tab(), 'Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES],
                    ...small,
                  }),
                ],
              }),
            ],
          }),
        },
        children: policyBlocks.flatMap(blockToWord),
      },
    ],
  })
  const packed = Buffer.from(await Packer.toBuffer(doc, undefined, [coreProperties(imprint)]))
  return withFixedZipDates(packed)
}

/** Replaces the library's own core properties, which hold the time of the build. */
function coreProperties(imprint: { publication: string; edition: Date }) {
  const date = imprint.edition.toISOString().replace('.000Z', 'Z')
  return {
    path: 'docProps/core.xml',
    data: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>AI Use Policy for a Franchise Location</dc:title><dc:subject>Template to fill in. Not legal advice.</dc:subject><dc:creator>${imprint.publication}</dc:creator><cp:lastModifiedBy>${imprint.publication}</cp:lastModifiedBy><dcterms:created xsi:type="dcterms:W3CDTF">${date}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${date}</dcterms:modified></cp:coreProperties>`,
  }
}
