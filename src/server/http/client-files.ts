import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Config } from '#server/config/config.ts'
import { landingHead } from '#server/pages/page-head.ts'
import { fillDocument } from '#shared/domain/document-fields.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A file of the client build in memory, with its compressed versions. */
export type ClientFile = {
  body: Bytes
  brotli?: Bytes
  gzip?: Bytes
  contentType: string
  cacheControl: string
  etag: string
  /** Hashes of the scripts inside a page, for its content security policy. */
  scriptHashes?: string[]
  /** Sent with the file. */
  headers?: Readonly<Record<string, string>>
  /** A script, style sheet or font, which is never displayed as a page. */
  isSubresource: boolean
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.atom': 'application/atom+xml; charset=utf-8',
  '.jsonfeed': 'application/feed+json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.rss': 'application/rss+xml; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

const immutable = 'public, max-age=31536000, immutable'
const short = 'public, max-age=300, must-revalidate'

/**
 * Reads the client build into a map by URL path, without source maps and dotfiles. The map is empty without a build; then
 * pages respond with 404 and API calls still work. Pages still have the fields that site-documents.ts fills.
 */
export function readClientFiles(directory: string): Map<string, ClientFile> {
  const files = new Map<string, ClientFile>()
  for (const path of filesBelow(directory)) {
    const contentType = contentTypes[extname(path)]
    if (!contentType || path.split('/').some((part) => part.startsWith('.'))) continue
    const file = join(directory, path)
    files.set(`/${path}`, readAsset(file, path, contentType))
  }
  return files
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Values that the server inserts into every page. */
export type PageVariables = Pick<Config, 'mode' | 'publicUrl' | 'settings' | 'trialDays'>

type PageFileOptions = {
  /** The policy allows only the scripts of this file. Default: `html`. */
  built?: string
  brotliQuality?: number
}

/** A page with its fields filled, compressed. */
export async function pageFile(
  html: string,
  variables: PageVariables,
  { built = html, brotliQuality }: PageFileOptions = {},
): Promise<ClientFile> {
  const text = fillPage(html, variables)
  const scripts = [...built.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
  const scriptHashes = scripts.map((script) => createHash('sha256').update(script).digest('base64'))
  return { ...(await textFile(text, '.html', brotliQuality)), scriptHashes }
}

/** Fills the fields of a page of the build. */
export const fillPage = (html: string, { mode, publicUrl, settings, trialDays }: PageVariables): string =>
  fillDocument(html, settings.publication)
    .replace('<!--landing-head-->', () => String(landingHead(settings.publication, publicUrl)))
    .replaceAll('__MODE__', mode)
    .replaceAll('__TRIAL_DAYS__', String(trialDays))

/** A JSON response that changes while the server runs. */
export const jsonFile = (json: string): Promise<ClientFile> => textFile(json, '.json')

type TextExtension =
  | '.html'
  | '.json'
  | '.js'
  | '.css'
  | '.webmanifest'
  | '.txt'
  | '.xml'
  | '.md'
  | '.rss'
  | '.atom'
  | '.jsonfeed'

/** @param brotliQuality 11 takes about 20 times as long as 5, for a file that is a seventh smaller */
export async function textFile(text: string, extension: TextExtension, brotliQuality = 11): Promise<ClientFile> {
  const body = bytes(Buffer.from(text))
  const [brotli, gzipped] = await Promise.all([
    toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    toGzip(body, { level: 9 }),
  ])
  return {
    body,
    brotli: bytes(brotli),
    gzip: bytes(gzipped),
    contentType: contentTypes[extension] ?? '',
    cacheControl: 'no-cache',
    etag: etagOf(body),
    isSubresource: false,
  }
}

/** A file that changes while the server runs and is as small as it gets. */
export const imageFile = (path: string, content: Buffer): ClientFile => ({
  body: bytes(content),
  contentType: contentTypes[extname(path)] ?? '',
  cacheControl: short,
  etag: etagOf(bytes(content)),
  isSubresource: false,
})

function readAsset(file: string, path: string, contentType: string): ClientFile {
  const body = bytes(readFileSync(file))
  return {
    body,
    brotli: readIfExists(`${file}.br`),
    gzip: readIfExists(`${file}.gz`),
    contentType,
    cacheControl: path.startsWith('assets/') ? immutable : short,
    etag: etagOf(body),
    isSubresource: /^(text\/(javascript|css)|font\/)/.test(contentType),
  }
}

function filesBelow(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function readIfExists(file: string): Bytes | undefined {
  try {
    return bytes(readFileSync(file))
  } catch {
    return undefined
  }
}

const bytes = (buffer: Buffer): Bytes => new Uint8Array(buffer)
const etagOf = (body: Bytes) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
