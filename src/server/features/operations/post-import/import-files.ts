import { linksIn } from '#shared/domain/markdown-images.ts'
import type { TextFileKind } from '#shared/domain/text-files.ts'
import type { Part } from './split-at-marks.ts'

/** A link of a converted text that is to become a file or sound. */
export const fileLink = / "(file|audio)"\)$/

type FoundFile = { words: string; address: string; kind: TextFileKind }
/** Null if the words stay alone. */
type Replace = (found: FoundFile) => Promise<{ address: string; title: string | null } | null>

/** Replaces the links to files, each once. */
export async function replaceFiles(parts: readonly Part[], replacement: Replace): Promise<Part[]> {
  const replaced: Part[] = []
  for (const { text, isOpen } of parts) {
    let changed = text
    for (const { isPicture, written, words, address } of linksIn(text)) {
      const kind = fileLink.exec(written)?.[1] as TextFileKind | undefined
      if (isPicture || !kind || !changed.includes(written)) continue
      const found = await replacement({ words, address, kind })
      const title = found?.title ? ` "${found.title}"` : ''
      changed = changed.replaceAll(written, () => (found ? `[${words}](${found.address}${title})` : words))
    }
    replaced.push({ text: changed, isOpen })
  }
  return replaced
}
