/** A workbook for one tool: five test inputs, a score sheet and the five criteria as questions to the vendor. */
import {
  brick,
  calc,
  center,
  entry,
  headTint,
  heads,
  left,
  pine,
  plain,
  row,
  section,
  subtitle,
  text,
  title,
} from '../../guides/source/sheet-styles.ts'
import { type Cell, type Sheet, writeWorkbook } from '../../guides/source/workbook.ts'
import type { ToolTest } from './test-inputs.ts'

const top = { ...plain, valign: 'top' } as const
const bold = { ...top, bold: true } as const

/** Row height in points for texts in columns of the given widths (characters), at 10 points. */
const heightFor = (...texts: [string, number][]) =>
  8 +
  13 *
    Math.max(
      ...texts.map(([value, width]) =>
        value.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / (width * 1.02))), 0),
      ),
    )

const rules = [
  'Enter no names, orders or other details of real customers or employees.',
  'Decide before you start what total is enough. Our suggestion: 40 of 50, and no 0 under “Right” or “Rules kept”.',
  'Run each input once, in the order given, and mark the first result. A second try is a second round.',
  'Two people mark separately, then compare. Where they differ, the lower mark counts.',
]

function inputsSheet({ tool, howTo, inputs }: ToolTest): Sheet {
  const cells: [string, Cell][] = [
    ['A1', text(`${tool}: five test inputs`, title)],
    [
      'A2',
      text(
        'For a trial or a vendor’s demo. The score sheet is empty: we have not filled it in for any tool.',
        subtitle,
      ),
    ],
    ['A4', text('How to run it', section)],
    ['A5', text(howTo, top)],
  ]
  const heights: Record<number, number> = { 1: 32, 2: 20, 5: heightFor([howTo, 138]) }
  const merges = ['A2:C2', 'A5:C5']
  rules.forEach((rule, index) => {
    const at = 6 + index
    cells.push([`A${at}`, text(rule, top)])
    merges.push(`A${at}:C${at}`)
    heights[at] = 19
  })
  cells.push(...row(11, heads(['Input', 'Type, paste or do this', 'A good result'], 'lll')))
  inputs.forEach(({ name, input, expect }, index) => {
    const at = 12 + index
    cells.push(...row(at, [text(`${index + 1}. ${name}`, bold), text(input, top), text(expect, top)]))
    heights[at] = heightFor([name, 22], [input, 60], [expect, 52])
  })
  return {
    name: 'Test inputs',
    tab: pine,
    columns: [26, 60, 52],
    cells: new Map(cells),
    heights,
    merges,
    landscape: true,
    onePage: true,
  }
}

function scoreSheet({ tool, inputs }: ToolTest): Sheet {
  const first = 8
  const last = first + inputs.length - 1
  const heights: Record<number, number> = { 1: 30, 2: 20, 7: 54 }
  const merges = ['A2:J2']
  const cells: [string, Cell][] = [
    ['A1', text(`${tool}: score sheet`, title)],
    ['A2', text('Marks: 0 = no, 1 = partly, 2 = yes. Type in the tinted cells; the rest calculates.', subtitle)],
    ['A4', text('Plan and account', { ...plain, bold: true })],
    ['B4', entry(left)],
    ['A5', text('Tested by (role), date', { ...plain, bold: true })],
    ['B5', entry(left)],
    ...row(
      7,
      heads(
        [
          'Input',
          'Right: facts and numbers as given',
          'Complete: nothing missing',
          'Nothing added',
          'Rules kept: safety, brand, no promises',
          'Ready after a quick fix',
          'Points of 10',
          'Minutes by hand',
          'Minutes with the tool',
          'What went wrong',
        ],
        'lccccccrri',
      ),
    ),
  ]
  merges.push('B4:F4', 'B5:F5')
  for (const column of ['C', 'D', 'E', 'F']) for (const at of [4, 5]) cells.push([`${column}${at}`, entry(left)])
  inputs.forEach(({ name }, index) => {
    const r = first + index
    cells.push(
      ...row(r, [
        text(`${index + 1}. ${name}`),
        ...Array.from({ length: 5 }, () => entry(center)),
        calc(`IF(COUNT(B${r}:F${r})<5,"",SUM(B${r}:F${r}))`, '', { ...center, bold: true }),
        entry(),
        entry(),
        entry(left),
      ]),
    )
    heights[r] = 30
  })
  const total = last + 1
  const fill = { fill: headTint, bold: true }
  const sum = (column: string, style = {}) => calc(`SUM(${column}${first}:${column}${last})`, 0, { ...fill, ...style })
  cells.push(
    ...row(total, [
      text('Total', { ...plain, ...fill }),
      ...['B', 'C', 'D', 'E', 'F', 'G'].map((column) => sum(column, center)),
      sum('H'),
      sum('I'),
      text('', { ...plain, ...fill }),
    ]),
    [`A${total + 2}`, text('Total that is enough', { ...plain, bold: true })],
    [`B${total + 2}`, entry(center, 40)],
    [`A${total + 3}`, text('Result', { ...plain, bold: true })],
    [
      `B${total + 3}`,
      calc(
        `IF(COUNT(G${first}:G${last})<5,"Fill in all marks",IF(OR(COUNTIF(B${first}:B${last},0)>0,COUNTIF(E${first}:E${last},0)>0),"Not enough: a 0 under Right or Rules kept",IF(G${total}>=B${total + 2},"Enough","Not enough")))`,
        'Fill in all marks',
        { ...left, bold: true },
      ),
    ],
    [`A${total + 4}`, text('Minutes saved on five inputs', { ...plain, bold: true })],
    [
      `B${total + 4}`,
      calc(`IF(OR(COUNT(H${first}:H${last})<5,COUNT(I${first}:I${last})<5),"",H${total}-I${total})`, '', center),
    ],
  )
  merges.push(`B${total + 3}:F${total + 3}`)
  return {
    name: 'Score sheet',
    tab: 'E0A030',
    columns: [32, 12, 12, 11, 14, 11, 9, 10, 11, 40],
    cells: new Map(cells),
    heights,
    merges,
    landscape: true,
    onePage: true,
    validations: [
      { range: `B${first}:F${last}`, type: 'list', from: '"0,1,2"', error: 'Choose 0, 1 or 2.' },
      { range: `H${first}:I${last}`, type: 'decimal', from: '0', error: 'Type minutes, 0 or more.' },
      { range: `B${total + 2}`, type: 'whole', from: '0', to: '50', error: 'Type a whole number from 0 to 50.' },
    ],
    highlights: [
      { range: `B${first}:F${last}`, formula: `AND(ISNUMBER(B${first}),B${first}=0)`, color: brick, bold: true },
    ],
  }
}

const questions: [string, string][] = [
  ['Data terms', 'Do you train on what we enter? How long do you keep it? Will you sign a data agreement?'],
  ['Data terms', 'Which other companies receive what we enter?'],
  ['Price clarity', 'What is the total per location and month, with every add-on we need and tax?'],
  ['Price clarity', 'What is the contract term, the notice to cancel, and the next price increase?'],
  ['Use on a phone', 'Show the whole job on a phone, from start to finish.'],
  ['Export', 'What can we take out, in which format, and for how long after we cancel?'],
  ['Team controls', 'How do we remove a person the same day? Who can see what that person did?'],
  ['Franchisor', 'Does our franchisor allow this tool? Has it named another one?'],
]

function questionsSheet({ tool }: ToolTest): Sheet {
  const cells: [string, Cell][] = [
    ['A1', text(`${tool}: questions before you sign`, title)],
    ['A2', text('Note where each answer is written. A spoken answer is not an answer.', subtitle)],
    ...row(4, heads(['Criterion', 'Question', 'Answer', 'Where it is written, date', 'Good enough?'], 'lllli')),
  ]
  const heights: Record<number, number> = { 1: 30, 2: 20 }
  questions.forEach(([criterion, question], index) => {
    const r = 5 + index
    cells.push(...row(r, [text(criterion, bold), text(question, top), entry(), entry(), entry(left)]))
    heights[r] = 44
  })
  return {
    name: 'Questions',
    columns: [18, 46, 46, 28, 14],
    cells: new Map(cells),
    heights,
    merges: ['A2:E2'],
    landscape: true,
    onePage: true,
    validations: [
      {
        range: `E5:E${4 + questions.length}`,
        type: 'list',
        from: '"Yes,No,Unsure"',
        error: 'Choose Yes, No or Unsure.',
      },
    ],
  }
}

/** Builds the Excel file of one tool. */
export const buildTestSheet = (test: ToolTest, imprint: { publication: string; edition: Date }): Uint8Array =>
  writeWorkbook({
    title: `${test.tool}: test inputs and score sheet`,
    creator: imprint.publication,
    created: imprint.edition,
    sheets: [inputsSheet(test), scoreSheet(test), questionsSheet(test)],
    names: {},
  })
