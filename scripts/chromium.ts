/** The browser of the browser tests: the machine's own, else installed, else one sentence that says what to do. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

/** Flags for a browser without a display, without a sandbox of its own and without calls home. */
export const quietChromium = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** First those that draw no windows: a quarter less work for the same journeys. */
const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
]
const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export function findChromium(): string | null {
  const onPath = (process.env.PATH ?? '')
    .split(process.platform === 'win32' ? ';' : ':')
    .flatMap((directory) => names.map((name) => join(directory, name)))
  const candidates = [process.env.CHROME_PATH ?? '', ...onPath, ...fixedPlaces, chromium.executablePath()]
  return candidates.find((candidate) => candidate !== '' && existsSync(candidate)) ?? null
}

/** @throws Error with one sentence when there is no browser and none could be installed */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  const run = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'inherit' }).status === 0
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium from the system’s packages …')
    const install = (name: string) => run('apt-get', ['install', '-y', '-qq', name])
    // Debian has the one without windows by itself, others have not.
    if (run('apt-get', ['update', '-qq']) && (install('chromium-headless-shell') || install('chromium'))) {
      return ensureFound()
    }
  }
  console.log('Downloading Chromium for the browser tests …')
  if (run('playwright', ['install', 'chromium'])) return ensureFound()
  throw new Error('The browser tests need Chromium: install Chromium or Google Chrome, or set CHROME_PATH to it.')
}

function ensureFound(): string {
  const found = findChromium()
  if (!found) throw new Error('Chromium was installed but is not to be found; set CHROME_PATH to it.')
  return found
}
