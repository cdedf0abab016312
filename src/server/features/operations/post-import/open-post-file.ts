import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { openZip, ZipError, type ZipFile } from '#server/features/operations/archive/zip-reader.ts'
import { guideFileLimitBytes } from '#shared/contracts/publishing/publishing-library.ts'
import { readBeehiiv } from './read-beehiiv.ts'
import { readButtondown } from './read-buttondown.ts'
import { readGhost } from './read-ghost.ts'
import { readMarkdownPost, readMarkdownZip } from './read-markdown.ts'
import { readSubstack } from './read-substack.ts'
import { readWordPress } from './read-wordpress.ts'
import { decodeText, maxPosts, maxTextBytes, type PostFile, PostFileError } from './source-post.ts'

const zipLimits = { maxEntries: 50_000, maxTotalBytes: 4 * 1024 ** 3 }
const maxWholeBytes = 200 * 1024 ** 2

const nothing = { readImage: async () => null, close: () => {} }
/** Where WordPress's texts are kept during the import: beside the upload, which has a folder of its own. */
const textsOf = (file: string) => `${file}.texts`

/**
 * Opens an export of Ghost (JSON, or a zip file with it), Substack or Buttondown (zip), beehiiv (CSV), WordPress (XML, or a
 * zip file with it), or Markdown files (one, or a zip file of them). @throws PostFileError
 */
export async function openPostFile(file: string, name: string): Promise<PostFile> {
  const start = await readStart(file)
  if (start.length === 0) throw new PostFileError('The file is empty')
  if (start[0] === 0x50 && start[1] === 0x4b) return openZipOfPosts(file)
  const { size } = await stat(file)
  if (/\.(md|markdown)$/i.test(name)) {
    if (size > maxTextBytes) throw new PostFileError('The file is too large for one post')
    const post = readMarkdownPost(name, decodeText(await readFile(file), name))
    return { source: 'markdown', posts: [post], ...nothing }
  }
  // A byte order mark counts as a space.
  const text = start.toString('utf8').trimStart()
  if (text.startsWith('<')) {
    return { ...nothing, source: 'wordpress', ...(await readWordPress([createReadStream(file)], textsOf(file))) }
  }
  const isList = /\bcontent_html\b/.test(text)
  if (!text.startsWith('{') && !isList) {
    throw new PostFileError(
      'This isn’t an export that we know. Choose Ghost’s JSON file, WordPress’s XML file, beehiiv’s CSV file, Substack’s or Buttondown’s zip file, or Markdown files',
    )
  }
  if (size > maxWholeBytes) {
    throw new PostFileError(`The ${isList ? 'CSV' : 'JSON'} file is larger than 200 MB. Export the posts in parts`)
  }
  const whole = decodeText(await readFile(file), name)
  return isList
    ? { source: 'beehiiv', posts: readBeehiiv(whole), ...nothing }
    : { source: 'ghost', posts: readGhost(whole), ...nothing }
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1_000), 0, 1_000, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function openZipOfPosts(file: string): Promise<PostFile> {
  const zip = await openZip(file, zipLimits).catch((error: unknown) => {
    throw new PostFileError(`We can’t open this zip file: ${error instanceof Error ? error.message : 'unknown error'}`)
  })
  try {
    const { source, posts, close } = await readZip(zip, textsOf(file))
    return {
      ...{ source, posts, readImage: (address, folder) => readImage(zip, address, folder) },
      close() {
        close?.()
        zip.close()
      },
    }
  } catch (error) {
    zip.close()
    if (error instanceof ZipError) throw new PostFileError(`We can’t read this zip file: ${error.message}`)
    throw error
  }
}

const isHidden = (path: string) => path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')

type Read = Pick<PostFile, 'source' | 'posts'> & Partial<Pick<PostFile, 'close'>>

async function readZip(zip: ZipFile, textsPath: string): Promise<Read> {
  const paths = zip.paths.filter((path) => !isHidden(path))
  const list = paths.find((path) => /(^|\/)posts\.csv$/.test(path))
  if (list) return { source: 'substack', posts: await readSubstack(zip, list) }
  const emails = ['json', 'csv'].flatMap(
    (format) => paths.find((path) => /(^|\/)emails\.\w+$/.test(path) && path.endsWith(format)) ?? [],
  )
  if (emails[0]) return { source: 'buttondown', posts: await readButtondown(zip, emails[0]) }
  const xml = paths.filter((path) => /\.xml$/i.test(path)).sort()
  if (xml.length > 0) {
    const files = await Promise.all(xml.map((path) => zip.open(path)))
    return { source: 'wordpress', ...(await readWordPress(files, textsPath)) }
  }
  // Ghost puts it in the root or one folder below.
  const json = paths.find((path) => /^([^/]+\/)?[^/]+\.json$/.test(path))
  const markdown = paths.filter((path) => /\.(md|markdown)$/i.test(path) && !/(^|\/)readme\.md$/i.test(path))
  if (markdown.length > maxPosts) throw new PostFileError(`The file has more than ${maxPosts} posts`)
  if (markdown.length > 0) return { source: 'markdown', posts: await readMarkdownZip(zip, markdown) }
  if (json) {
    const text = decodeText(await zip.read(json, maxWholeBytes), json)
    return { source: 'ghost', posts: readGhost(text) }
  }
  throw new PostFileError(
    'This zip file has no posts: no posts.csv, no emails.csv, no XML file of WordPress, no JSON file of Ghost, and no Markdown files',
  )
}

/** Addresses as Ghost and Markdown files write them, looked up in the zip file only. */
async function readImage(zip: ZipFile, address: string, folder: string): Promise<Uint8Array | null> {
  const path = decodeAddress(address).replace(/[?#].*$/s, '')
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return null
  const name = path.replace(/^__GHOST_URL__/, '')
  const candidates = [posix.normalize(posix.join(folder, name)), posix.normalize(name).replace(/^\/+/, '')]
  const found =
    candidates.find((candidate) => zip.has(candidate)) ??
    // A Mac writes letters and their accents apart.
    zip.paths.find((entry) => candidates.some((candidate) => candidate.normalize('NFC') === entry.normalize('NFC'))) ??
    zip.paths.find(
      (entry) => name.startsWith('/') && entry.endsWith(name) && entry.split('/').length <= name.split('/').length,
    )
  if (!found) return null
  return zip.read(found, guideFileLimitBytes)
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
