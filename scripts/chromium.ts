/** Finds the machine's browser for the browser tests, or installs one. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

/** Runs without a display, without Chromium's sandbox and without background requests. */
export const quietChromium = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Headless shells first: they need a quarter less CPU time. */
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

/** @throws if there is no browser and none can be installed */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  const run = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'inherit' }).status === 0
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium with apt-get …')
    const install = (name: string) => run('apt-get', ['install', '-y', '-qq', name])
    // Only Debian has a separate package for the headless shell.
    if (run('apt-get', ['update', '-qq']) && (install('chromium-headless-shell') || install('chromium'))) {
      return ensureFound()
    }
  }
  console.log('Downloading Chromium for the browser tests …')
  if (run('playwright', ['install', 'chromium'])) return ensureFound()
  throw new Error('The browser tests need Chromium. Install Chromium or Google Chrome, or set CHROME_PATH.')
}

function ensureFound(): string {
  const found = findChromium()
  if (!found) throw new Error('Chromium was installed but can’t be found. Set CHROME_PATH.')
  return found
}
