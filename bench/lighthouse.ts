/**
 * `npm run bench -- lighthouse [path]`: Lighthouse scores of the landing page, the archive and a drop on a phone.
 * Installs Lighthouse into .cache.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium, quietChromium } from '../scripts/chromium.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { startProgram, temporaryDirectory } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const runs = 3
const pages = process.argv[2] ? [process.argv[2]] : ['/', '/drops', '/drops/a-week-of-reviews']

function lighthouse(url: string, chromePath: string) {
  const folder = join('.cache', 'lighthouse')
  const program = join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js')
  if (!existsSync(program)) {
    execFileSync(
      'npm',
      ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', 'lighthouse@13.5.0'],
      { stdio: 'inherit' },
    )
  }
  const out = mkdtempSync(join(tmpdir(), 'front-counter-lighthouse-'))
  const results = Array.from({ length: runs }, (_, index) => {
    const file = join(out, `${index}.json`)
    const flags = [
      '--output=json',
      `--output-path=${file}`,
      '--quiet',
      `--chrome-flags=--headless=new ${quietChromium.join(' ')}`,
    ]
    execFileSync(process.execPath, [program, url, ...flags], {
      stdio: 'inherit',
      env: { ...process.env, CHROME_PATH: chromePath },
    })
    return JSON.parse(readFileSync(file, 'utf8')) as {
      categories: Record<string, { score: number }>
      audits: Record<string, { score: number | null; numericValue?: number; title: string; scoreDisplayMode: string }>
    }
  })
  rmSync(out, { recursive: true, force: true })
  const first = results[0]
  if (!first) throw new Error('Lighthouse did not run.')
  console.table(
    Object.keys(first.categories).map((name) => ({
      category: name,
      'score (median)': round(median(results.map((result) => (result.categories[name]?.score ?? 0) * 100))),
    })),
  )
  for (const audit of [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
    'speed-index',
  ]) {
    console.log(
      `${audit}: ${round(median(results.map((result) => result.audits[audit]?.numericValue ?? Number.NaN)), 3)}`,
    )
  }
  const short = Object.entries(first.audits).filter(
    ([, audit]) => audit.score !== null && audit.score < 1 && audit.scoreDisplayMode !== 'informative',
  )
  for (const [name, audit] of short) console.log(`not perfect: ${name} (${audit.score}) ${audit.title}`)
}

const directory = temporaryDirectory()
const server = await startProgram(builtServer, { DATA_DIR: directory, DATABASE_URL: '' })
try {
  const chromePath = ensureChromium()
  for (const path of pages) {
    const url = server.url.replace('127.0.0.1', 'localhost') + path
    console.log(`\n${path}`)
    lighthouse(url, chromePath)
  }
} finally {
  await server.stop()
}
