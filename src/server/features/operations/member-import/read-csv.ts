import { pipeline, Readable } from 'node:stream'
import type { CsvError } from 'csv-parse'
import { isEmailColumn } from '#shared/domain/import-fields.ts'

/** `line` is where the record starts, from 1. */
export type CsvRecord =
  | { line: number; values: string[]; problem: null }
  | { line: number; values: null; problem: string }

/** An unclosed quotation mark makes the rest of the file one field; this ends it. */
const maxRecordCharacters = 64 * 1024

const unclosed = 'A quotation mark opens here and isn’t closed. This line and those after it couldn’t be read.'
const problems: Record<string, string> = { CSV_QUOTE_NOT_CLOSED: unclosed, CSV_MAX_RECORD_SIZE: unclosed }

/** A character that no text contains, for a line that is longer than a record may be. */
const tooLong = '\ufdd0'

/**
 * Replaces lines that are too long: the parser would drop what follows them in the same piece, and doesn't count separators,
 * so that a line of nothing else would fill the memory.
 */
async function* withoutEndlessLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let line = ''
  let isTooLong = false
  for await (const piece of text) {
    let kept = ''
    for (const part of piece.split(/(?<=\n|\r(?!\n))/)) {
      isTooLong ||= line.length + part.length > maxRecordCharacters
      line = isTooLong ? '' : line + part
      if (!/[\r\n]$/.test(part)) continue
      kept += isTooLong ? `${tooLong}\n` : line
      line = ''
      isTooLong = false
    }
    if (kept !== '') yield kept
  }
  if (isTooLong || line !== '') yield isTooLong ? tooLong : line
}

/** A quotation mark after a backslash that neither ends the quoted cell nor is doubled. */
const escapedQuote = /(?:^|[,;\t|])"[^"\r\n]*\\"[^,;\t|\r\n"]/m

/** MailPoet and other PHP programs write quotation marks in cells as `\"`. From the first one on, all are doubled instead. */
async function* withDoubledQuotes(text: AsyncIterable<string>): AsyncGenerator<string> {
  let isEscaping = false
  for await (const piece of text) {
    isEscaping ||= escapedQuote.test(piece)
    yield isEscaping ? piece.replaceAll('\\"', '""') : piece
  }
}

type ParsedRecord = { record: string[]; info: { lines: number }; raw: string }

/** Excel writes the separator above the header: `sep=;`. */
const separatorLine = /^"?sep=(.)"?(?=[\r\n])/i
const isSeparatorLine = ([first = '', ...rest]: readonly string[]) =>
  /^sep=.?$/i.test(first) && rest.every((value) => value === '')

/** Reads CSV record by record. A broken record is returned as a problem, and reading goes on after it. */
export async function* readCsv(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const { parse } = await import('csv-parse')
  const skipped: CsvRecord[] = []
  let lastLine = 0
  const parser = parse({
    delimiter,
    info: true,
    raw: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    // Quotation marks in the wrong place are part of the value.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxRecordCharacters,
    on_record: (record, { lines }) => {
      lastLine = lines
      return record
    },
  })
  parser.on('skip', (error: CsvError) => {
    const problem = problems[error.code] ?? 'This line isn’t valid CSV.'
    skipped.push({ line: lastLine + 1, values: null, problem })
    lastLine = Number(error.lines) || lastLine + 1
  })
  // The iteration below reports errors.
  pipeline(Readable.from(withDoubledQuotes(withoutEndlessLines(text))), parser, () => {})
  for await (const { record, info, raw } of parser as AsyncIterable<ParsedRecord>) {
    const line = info.lines - record.reduce((breaks, value) => breaks + countLineBreaks(value), 0)
    while (skipped[0] && skipped[0].line <= line) yield skipped.shift() as CsvRecord
    if (line === 1 && isSeparatorLine(record)) continue
    // A quotation mark that isn’t closed in its own line swallowed the following ones.
    const isBroken = record.some(
      (value) => value.startsWith('"') && value.includes('\n') && !raw.includes(`"${value.replaceAll('"', '""')}"`),
    )
    if (record.some((value) => value.includes(tooLong)))
      yield { line, values: null, problem: overlong(line, info.lines) }
    else
      yield isBroken
        ? { line, values: null, problem: broken(line, info.lines) }
        : { line, values: record, problem: null }
  }
  yield* skipped
}

const broken = (from: number, to: number) =>
  `A quotation mark opens here and isn’t closed in its field. Lines ${from} to ${to} couldn’t be read.`

const overlong = (from: number, to: number) =>
  from === to ? 'This line is far too long.' : `Lines ${from} to ${to} are far too long.`

const countLineBreaks = (value: string) => (value.includes('\n') ? value.split('\n').length - 1 : 0)

/**
 * The separator that the file names, or else the one that makes a header with a column for addresses, or else the one that
 * the header line uses most, outside quotation marks.
 */
export function detectDelimiter(given: string): string {
  const text = given.replace(/^[\ufeff\r\n ]+/, '')
  const named = separatorLine.exec(text)?.[1]
  if (named) return named
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const [header = ''] = text.split(/[\r\n]/, 1)
  const counts = [',', ';', '\t', '|'].map((delimiter) => {
    const hasEmail = header.split(delimiter).length > 1 && header.split(delimiter).some(isEmailColumn)
    return { delimiter, count: line.split(delimiter).length + (hasEmail ? maxRecordCharacters : 0) }
  })
  return counts.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? ','
}
