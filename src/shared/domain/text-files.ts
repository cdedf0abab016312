import { formatBytes } from './format-bytes.ts'
import { formatClock } from './format-clock.ts'

/** Address of an uploaded file or sound in a text. */
export const textFilePath = /^\/files\/([0-9a-f]{64})\.[a-z0-9]{3,4}$/

export type TextFileKind = 'file' | 'audio'

/** Title of a link to a file, which makes it a block: "file, PDF, 482 kB" or "audio, 3:05". Null for any other title. */
export function parseFileTitle(title: string): { kind: TextFileKind; facts: string } | null {
  const [, kind, facts = ''] = /^(file|audio)(?:, (.{1,80}))?$/.exec(title) ?? []
  return kind === 'file' || kind === 'audio' ? { kind, facts } : null
}

/** The title of a link to an upload. `seconds` is null for what isn't a sound. */
export const fileTitle = (file: { format: string; bytes: number; seconds: number | null }): string =>
  file.seconds === null ? `file, ${file.format}, ${formatBytes(file.bytes)}` : `audio, ${formatClock(file.seconds)}`
