import type { Deps } from '#server/feature.ts'
import type { Editor } from '#server/features/identity/auth/security/editor.ts'
import { saveImage } from '#server/features/publishing/documents/images.ts'
import { saveTextFile } from '#server/features/publishing/documents/text-files.ts'
import { replaceImages } from '#shared/domain/markdown-images.ts'
import { fileTitle } from '#shared/domain/text-files.ts'
import { AppError } from '#shared/errors.ts'
import type { ConvertedPost } from './convert-post.ts'
import type { FetchFile } from './fetch-file.ts'
import { joinParts } from './html-to-markdown.ts'
import { replaceFiles } from './import-files.ts'
import type { PostFile } from './source-post.ts'
import type { Part } from './split-at-marks.ts'

const maxImages = 200

type ImageDeps = Pick<Deps, 'database' | 'store' | 'clock'>
type ImageSource = {
  readImage: PostFile['readImage']
  fetchFile: FetchFile
  /** Where images that the file lacks are fetched, from this host alone. */
  siteAddress: string | null
}

const uploadedLater = '0'.repeat(64)
/** Returns true for the problem of an image that the check assumes to be uploaded by the import. */
export const isUploadedLater = (message: string) => message === 'An image was deleted. Insert it again.'

/** The texts as the import would make them if each image can be fetched, with how many there are; for the dry run. */
export async function expectImages(
  { parts, pictures }: Pick<ConvertedPost, 'parts' | 'pictures'>,
  folder: string,
  readImage: PostFile['readImage'],
): Promise<{ parts: Part[]; toFetch: number; missing: number }> {
  const replacements = new Map<string, string>()
  let toFetch = 0
  let missing = 0
  for (const { written, words, address } of pictures) {
    const isThere = isWebAddress(address) || (await readImage(address, folder).catch(() => null)) !== null
    if (!isThere) missing += 1
    else if (isWebAddress(address)) toFetch += 1
    replacements.set(written, isThere ? `![${words.trim() || 'Image'}](/media/${uploadedLater}.png#1x1)` : '')
  }
  const files = await replaceFiles(withImages(parts, replacements), async ({ address, kind }) => {
    const isThere = isWebAddress(address) || (await readImage(address, folder).catch(() => null)) !== null
    if (!isThere) missing += 1
    else if (isWebAddress(address)) toFetch += 1
    return isThere ? { address: `/files/${uploadedLater}.pdf`, title: kind } : null
  })
  return { parts: files, toFetch, missing }
}

/**
 * Saves the images of a text as uploads, checked like them, and replaces their addresses. One that can't be had becomes a
 * link, or nothing, with a note.
 */
export async function importImages(
  deps: ImageDeps,
  editor: Editor,
  source: ImageSource,
  { parts, pictures, folder, title }: Omit<ConvertedPost, 'notes' | 'blockers'> & { folder: string; title: string },
): Promise<{ parts: Part[]; notes: string[] }> {
  const notes: string[] = []
  const replacements = new Map<string, string>()
  let count = 0
  for (const { written, words, address } of pictures) {
    if (replacements.has(written)) continue
    count += 1
    const alt = words.trim() || altFrom(address, title)
    try {
      if (count > maxImages) throw new Error(`a post can have ${maxImages} images`)
      const file = await readBytes(source, address, folder)
      const name =
        address
          .replace(/[?#].*$/s, '')
          .split('/')
          .at(-1) ?? 'image'
      const { path, width, height } = await saveImage(deps, editor, { name, file })
      replacements.set(written, `![${alt}](${path}#${width}x${height})`)
      if (!words.trim()) notes.push(`Alt text made from the file name: ${alt}`)
    } catch (error) {
      // A failure of our store isn't the image's fault: the post is tried again.
      if (error instanceof AppError && error.code === 'file_store_unavailable') throw error
      notes.push(`Image not imported: ${shown(address)} (${reasonOf(error)})`)
      replacements.set(written, isWebAddress(address) && address.startsWith('https:') ? `[${alt}](${address})` : '')
    }
  }
  const files = await replaceFiles(withImages(parts, replacements), async ({ words, address, kind }) => {
    try {
      const file = await readBytes(source, address, folder)
      const saved = await saveTextFile(deps, editor, { name: nameOf(address), kind, file })
      return { address: saved.path, title: fileTitle(saved) }
    } catch (error) {
      if (error instanceof AppError && error.code === 'file_store_unavailable') throw error
      notes.push(`File not imported: ${words} (${reasonOf(error)}). Upload it in the editor`)
      return isWebAddress(address) ? { address: address.replace(/^http:/i, 'https:'), title: null } : null
    }
  })
  return { parts: files, notes }
}

const nameOf = (address: string) =>
  safeDecode(
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? 'file',
  )

const withImages = (parts: readonly Part[], replacements: ReadonlyMap<string, string>): Part[] =>
  joinParts(
    parts.map(({ text, isOpen }) => ({
      text: replaceImages(withoutLinkedGaps(text, replacements), (written) => replacements.get(written) ?? written),
      isOpen,
    })),
  )

/** A link has no other link inside, and needs words: there, a picture that isn't imported becomes its words. */
function withoutLinkedGaps(text: string, replacements: ReadonlyMap<string, string>): string {
  let changed = text
  for (const [written, replacement] of replacements) {
    if (replacement.startsWith('![')) continue
    const words = /^!?\[([^\]]+)\]/.exec(replacement || written)?.[1] ?? 'Image'
    changed = changed.replaceAll(`[${written}`, () => `[${words}`).replaceAll(`${written}](`, () => `${words}](`)
  }
  return changed
}

const isWebAddress = (address: string) => /^https?:\/\//i.test(address)
const shown = (address: string) => (address.length > 120 ? `${address.slice(0, 117)}…` : address)
const reasonOf = (error: unknown) => (error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown error')

async function readBytes(source: ImageSource, address: string, folder: string): Promise<Uint8Array> {
  const own = await source.readImage(address, folder)
  if (own) return own
  if (isWebAddress(address)) return source.fetchFile(address)
  const site = source.siteAddress && URL.parse(source.siteAddress)
  if (!site) throw new Error('it isn’t in the file; add it in the editor')
  const found = URL.parse(address.replace(/^__GHOST_URL__/, ''), new URL(encodeURI(folder), site).href)
  if (found?.host !== site.host) throw new Error('its address isn’t on the old site')
  return source.fetchFile(found.href, { sameHost: true })
}

/** "morning-rush.jpg" as "morning rush". */
function altFrom(address: string, title: string): string {
  const name =
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? ''
  const words = safeDecode(name)
    .replaceAll(/[-_+[\]()]+/g, ' ')
    .trim()
  return /\p{L}{3}/u.test(words) && !/[0-9a-f]{8}/i.test(words)
    ? words.slice(0, 100)
    : `Image from “${title}”`.replaceAll(/[[\]]/g, '')
}

function safeDecode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
