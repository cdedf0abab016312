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
  return candidates.find((candidate) => candidate !== '' && existsSync(candidate) && canStart(candidate)) ?? null
}

/** A downloaded browser may lack the system's libraries. Elsewhere than on Linux, `--version` would open a window. */
const canStart = (browser: string) =>
  process.platform !== 'linux' || spawnSync(browser, ['--version'], { stdio: 'ignore' }).status === 0

const noBrowser = 'There is no browser that starts. Install Chromium or Google Chrome, or set CHROME_PATH.'

/** @throws if there is no browser and none can be installed */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  const run = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'inherit' }).status === 0
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium with apt-get …')
    // Recommended packages would bring a printer applet and 300 MB.
    const install = (name: string) =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation'])
    // Only Debian has a separate package for the headless shell.
    if (run('apt-get', ['update', '-qq']) && (install('chromium-headless-shell') || install('chromium'))) {
      return ensureFound()
    }
  }
  console.log('Downloading Chromium for the browser tests …')
  if (run('playwright', ['install', 'chromium'])) return ensureFound()
  throw new Error(noBrowser)
}

function ensureFound(): string {
  const found = findChromium()
  if (!found) throw new Error(noBrowser)
  return found
}
