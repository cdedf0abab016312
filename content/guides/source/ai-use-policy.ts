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
import { withFixedZipDates } from './zip.ts'

const pine = '1F4D3F'
const muted = '5F584E'
const line = 'CFC6B5'
const fillTint = 'FFF1CC'
const noteTint = 'FBF7EE'

/** Text width between the margins, in twentieths of a point: 8.5 in less 1 in on either side. */
const textWidth = 9360

const fillIn = { color: '6B4A00', shading: { type: ShadingType.CLEAR, fill: fillTint, color: 'auto' } }

/** A blank: a content control that shows its prompt until somebody types. */
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

const para = (text: string) => new Paragraph({ children: inline(text) })
const heading = (text: string) => new Paragraph({ heading: HeadingLevel.HEADING_1, children: [new TextRun(text)] })
const bullet = (text: string) =>
  new Paragraph({ style: 'ListItem', numbering: { reference: 'bullets', level: 0 }, children: inline(text) })
const numbered = (text: string) =>
  new Paragraph({ style: 'ListItem', numbering: { reference: 'steps', level: 0 }, children: inline(text) })

const tick = (text: string) =>
  new Paragraph({
    style: 'ListItem',
    indent: { left: 360, hanging: 360 },
    tabStops: [{ type: TabStopType.LEFT, position: 360 }],
    children: [
      new CheckBox({
        alias: 'Tick if this applies',
        checkedState: { value: '2612', font: 'MS Gothic' },
        uncheckedState: { value: '2610', font: 'MS Gothic' },
      }) as unknown as ParagraphChild,
      new TextRun({ children: [new Tab()] }),
      ...inline(text),
    ],
  })

const none = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const hairline = { style: BorderStyle.SINGLE, size: 4, color: line }

interface TableOptions {
  widths: number[] // parts of the text width
  header?: string[]
  rows: string[][]
  rowHeight?: number // twentieths of a point
}

function table({ widths, header, rows, rowHeight }: TableOptions): Table {
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
      height: rowHeight && style !== 'TableHead' ? { value: rowHeight, rule: 'atLeast' } : undefined,
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

/** The instructions that the reader deletes: one tinted block, its paragraphs sharing the tint. */
const note = (children: ParagraphChild[], last = false) =>
  new Paragraph({
    style: 'Note',
    shading: { type: ShadingType.CLEAR, fill: noteTint, color: 'auto' },
    border: { left: { style: BorderStyle.SINGLE, size: 18, color: 'E0A030', space: 8 } },
    spacing: { after: last ? 200 : 0 },
    children,
  })

const body = [
  new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun('AI Use Policy')] }),
  new Paragraph({ style: 'Subtitle', children: inline('for {Business name}, {Location or locations}') }),

  note([new TextRun({ text: 'How to use this template. Delete this part when you are done.', bold: true })]),
  note(inline('1.  Click each shaded field in [brackets] and type. Tick what applies; delete what does not.')),
  note(inline('2.  Read it next to your franchise agreement and brand standards. Where they say more, they win.')),
  note(inline('3.  Have it checked by somebody who knows employment and privacy law where you operate.')),
  note(inline('4.  Go through it with the team (20 minutes), answer questions, then sign the last page.')),
  note(inline('5.  Review it twice a year, and whenever a tool changes its terms.'), true),

  table({
    widths: [22, 28, 20, 30],
    rows: [
      ['**Legal name**', '{Company that employs the team}', '**Franchise brand**', '{Brand}'],
      ['**Policy owner**', '{Name and role}', '**Reach them at**', '{Phone and e-mail}'],
      ['**In force from**', '{Date}', '**Next review**', '{Date, within six months}'],
    ],
  }),

  heading('1. What this is for, and whom it covers'),
  para(
    'We use AI tools to save time on routine writing and sorting. This policy says which tools, for what, and what stays out of them. It covers everyone who works for us at the locations above: owners, managers, employees, temporary staff and contractors, on business and private devices, whenever the work is ours.',
  ),
  para(
    '“AI tool” means software that writes, pictures, speaks, sorts or recommends from what a person gives it. That includes AI functions inside software we already have.',
  ),

  heading('2. Approved tools'),
  para(
    'Only the tools in this table are used for work, each only for what is written next to it, and only with a business account. AI functions in other software stay switched off until they are listed here.',
  ),
  table({
    widths: [24, 26, 30, 20],
    header: ['Tool and plan', 'Approved for', 'What its terms say about our data', 'Approved by, date'],
    rows: [
      [
        '**Example, delete:** general assistant, business plan',
        'Handover notes; first drafts of replies to public reviews',
        'Not used for training; kept 30 days; terms saved as a file on the day of approval',
        'Policy owner, date',
      ],
      ['{Tool}', '{Tasks}', '{Training, storage, access}', '{Name, date}'],
      ['{Tool}', '{Tasks}', '{Training, storage, access}', '{Name, date}'],
      ['{Tool}', '{Tasks}', '{Training, storage, access}', '{Name, date}'],
    ],
  }),
  new Paragraph({
    spacing: { before: 120 },
    children: inline(
      'The policy owner approves a new tool in writing after checking five things: the franchisor’s rules, the data terms, who can read what we type, how we delete it, and how we cancel.',
    ),
  }),

  heading('3. What may go in, and what stays out'),
  table({
    widths: [32, 32, 36],
    header: ['May go in', 'Ask the policy owner first', 'Stays out'],
    rows: [
      [
        'Published hours, menu, services and prices\nOur own notes without names\nPublic reviews without the reviewer’s name\nProcedures we wrote ourselves\nTotals that point to nobody',
        'Anything from the franchisor’s manual, recipes or intranet\nSales figures, supplier prices, contracts\nDescriptions of an incident\nPhotos without people\n{Other}',
        'Names, contact details, orders, bookings, loyalty numbers, card data\nSchedules, pay, performance, health, applications and résumés\nCamera and voice recordings\nPasswords and access codes\nLetters from lawyers, insurers or authorities\n{Other}',
      ],
    ],
  }),
  new Paragraph({
    spacing: { before: 120 },
    children: inline(
      'Data in the third column goes into a tool only with a written agreement with the vendor that covers it, where the franchise agreement and the law allow it, and when the policy owner has written it into section 2. Taking out a name is not enough if the rest still points to one person.',
    ),
  }),

  heading('4. What we use AI for'),
  tick('Shift and handover notes (roles, not names)'),
  tick('First drafts of replies to public reviews, as agreed with the franchisor'),
  tick('First drafts of local posts, from approved offers and pictures'),
  tick('E-mails to suppliers and service companies'),
  tick('Checklists and training outlines, from procedures we may share'),
  tick('Text of job advertisements, never the choice of applicants'),
  tick('Sorting public reviews by theme'),
  tick('{Other task}'),

  heading('5. What we do not use AI for'),
  bullet('Choosing, ranking, scheduling, paying, disciplining or dismissing people'),
  bullet('Answers on allergens, food safety, health, law, tax or the safety of equipment'),
  bullet('Watching or analyzing staff or customers by camera, voice or messages'),
  bullet('Writing reviews or testimonials, or posing as a customer or as somebody else'),
  bullet('Pictures, voices or videos of real people, or of products that look different from what we sell'),
  bullet('Anything that sends, posts, orders, pays or changes a price without a person approving it each time'),
  bullet('{Other}'),
  para(
    'An exception needs the policy owner’s approval in writing and, where they apply, the franchisor’s consent and legal advice.',
  ),

  heading('6. A person answers for every result'),
  para('Whoever uses a result is responsible for it as if they had written it. Before use, check that:'),
  bullet('every name, number, date and price agrees with its source;'),
  bullet('nothing was added that we did not put in, and nothing that matters is missing;'),
  bullet('it contains no promise, refund, blame, or medical, legal or safety advice;'),
  bullet('it sounds like us, and brand names and offers are written correctly.'),
  para(
    'Whatever a customer, an applicant or an authority will read is checked by a second person: {Role of the second reader}.',
  ),

  heading('7. Customers'),
  bullet(
    'Nobody is led to believe that they are talking to a person when they are not. A chat or phone assistant is used only if it is listed in section 2; it says what it is at the start and offers a person.',
  ),
  bullet(
    'Calls and conversations are recorded or transcribed by AI only with the policy owner’s approval and with the notice and consent that the law requires.',
  ),
  bullet(
    'Reports of illness, allergy, injury, discrimination or threats go to {Name and phone} at once, and into no AI tool.',
  ),

  heading('8. The brand and the franchisor'),
  para(
    'Names, logos, offers and pictures follow the brand standards. Manuals, recipes and other confidential material of the franchisor go into no tool without written permission. The franchisor was informed of this policy on {Date}, contact {Name}; conditions: {None, or list them}.',
  ),

  heading('9. When something goes wrong'),
  numbered('Stop. Type nothing more and delete nothing yet.'),
  numbered('Write down the tool, the time, and what went in or came out.'),
  numbered('Tell {Name and phone} within the hour.'),
  numbered(
    'The policy owner decides about deletion and about informing the vendor, the franchisor, the insurer, the people concerned and authorities. Some of these have legal deadlines.',
  ),
  numbered('The incident goes on our log, with what we changed.'),
  para('Nobody is punished for reporting in good faith.'),

  heading('10. Rights and duties'),
  para(
    'Nothing in this policy limits anyone’s right to discuss pay, hours and working conditions, to act together with co-workers, to report concerns to an authority, or any other right under the law. Knowingly breaking the rules may have consequences under our usual procedures. We keep the lists of approvals and incidents for {Period}.',
  ),

  heading('11. Versions'),
  table({
    widths: [12, 18, 45, 25],
    header: ['Version', 'Date', 'What changed', 'Approved by'],
    rows: [
      ['1.0', '{Date}', 'First version', '{Name}'],
      ['{No.}', '{Date}', '{Change}', '{Name}'],
    ],
  }),

  new Paragraph({
    heading: HeadingLevel.HEADING_1,
    pageBreakBefore: true,
    children: [new TextRun('Signatures')],
  }),
  new Paragraph({
    keepNext: true,
    children: inline(
      'I have read this policy, could ask questions about it, and know whom to ask. I will follow it when I use AI tools for work at {Business name}.',
    ),
  }),
  table({
    widths: [36, 42, 22],
    header: ['Name in print', 'Signature', 'Date'],
    rows: Array.from({ length: 12 }, () => ['', '', '']),
    rowHeight: 560,
  }),
  new Paragraph({
    spacing: { before: 240, after: 80 },
    keepNext: true,
    children: [new TextRun({ text: 'For the business', bold: true })],
  }),
  table({ widths: [36, 42, 22], rows: [['{Owner or policy owner}', '', '{Date}']], rowHeight: 480 }),
]

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
                  new TextRun({ text: `Based on a template by ${imprint.publication}. Not legal advice.`, ...small }),
                  new TextRun({
                    children: [new Tab(), 'Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES],
                    ...small,
                  }),
                ],
              }),
            ],
          }),
        },
        children: body,
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
