import { setTimeout as delay } from 'node:timers/promises'
import { type Driver, type Engine, startDriver } from './web-driver.ts'

type Role = 'button' | 'link' | 'field' | 'choice' | 'heading'
export type Wanted = readonly [role: Role, name: string | RegExp]

const timeoutMs = 20_000
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** Runs in the page. Returns the first visible element of a role whose accessible name matches. */
const findScript = `
  const [role, source, exact] = arguments
  const selectors = {
    button: 'button, [role=button], [role=menuitem], summary',
    link: 'a[href]',
    field: 'input:not([type=checkbox], [type=radio], [type=hidden]), textarea, select, [contenteditable=true]',
    choice: '[type=checkbox], [type=radio], [role=switch], [role=checkbox], [role=radio]',
    heading: 'h1, h2, h3, h4',
  }
  const textOf = (node) => (node?.textContent ?? '').replaceAll("\\n", " ").trim()
  const nameOf = (element) => {
    const ids = element.getAttribute('aria-labelledby')
    if (ids) return ids.split(' ').map((id) => textOf(document.getElementById(id))).join(' ')
    return element.getAttribute('aria-label') ?? (textOf(element.labels?.[0]) || textOf(element))
  }
  const matches = (name) => (exact ? name === source : new RegExp(source).test(name))
  const isShown = (element) => role === 'choice' || element.checkVisibility({ visibilityProperty: true })
  const found = [...document.querySelectorAll(selectors[role])].find((each) => isShown(each) && matches(nameOf(each)))
  if (!found || found.closest('[inert]') || found.disabled) return null
  // The box itself may be covered by what is painted for it.
  const target = role === 'choice' ? found.closest('label') ?? found.labels?.[0] ?? found : found
  target.scrollIntoView({ block: 'center', behavior: 'instant' })
  return target
`

/** A page in a real browser, used as a reader does: by what it shows. Each step waits until it can be done. */
export class Browser {
  readonly version: string
  private readonly driver: Driver
  private readonly origin: string

  private constructor(driver: Driver, origin: string) {
    this.driver = driver
    this.version = driver.version
    this.origin = origin
  }

  static async start(engine: Engine, origin: string): Promise<Browser> {
    return new Browser(await startDriver(engine), origin)
  }

  stop = () => this.driver.stop()
  open = (path: string) => this.driver.send('Navigate', { url: new URL(path, this.origin).href })
  back = () => this.driver.send('Back')
  reload = () => this.driver.send('Refresh')

  /** Runs the body of a function in the page and returns what it returns. */
  script(body: string, ...args: unknown[]): Promise<unknown> {
    return this.driver.send('ExecuteScript', { script: body, args })
  }

  async until(what: string, test: () => Promise<unknown>): Promise<void> {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      // Between two documents a script has nowhere to run.
      if (await test().catch(() => false)) return
      if (Date.now() > deadline) throw new Error(`${what} didn’t happen. ${await this.describe()}`)
      await delay(50)
    }
  }

  private async describe(): Promise<string> {
    const page = await this.script(
      'return location.href + "\\n" + document.body.innerText.replaceAll("\\n", " ").slice(0, 400)',
    ).catch(String)
    return `The page is ${page}`
  }

  private async find([role, name]: Wanted): Promise<string> {
    const args = typeof name === 'string' ? [role, name, true] : [role, name.source, false]
    let id: unknown
    await this.until(`${role} “${name}”`, async () => {
      const found = await this.script(findScript, ...args)
      id = typeof found === 'object' && found !== null && Reflect.get(found, elementKey)
      return id
    })
    return String(id)
  }

  /** Waits until the page has the element. */
  async has(...wanted: Wanted) {
    await this.find(wanted)
  }

  /** Repeats a click that something covered, such as a page that was still moving. */
  async click(...wanted: Wanted) {
    let last = ''
    await this.until(`Clicking ${wanted.join(' ')}`, async () => {
      const id = await this.find(wanted)
      const error = await this.driver.send('ElementClick', { id }).then(() => '', String)
      if (error && error !== last) last = error
      return !error
    }).catch((error: Error) => Promise.reject(new Error(`${error.message}\n${last}`)))
  }

  async fill(label: string | RegExp, text: string) {
    const id = await this.find(['field', label])
    await this.driver.send('ElementClear', { id }).catch(() => {})
    await this.driver.send('ElementSendKeys', { id, text })
  }

  sees = (text: string) =>
    this.until(`The text “${text}”`, () => this.script('return document.body.innerText.includes(arguments[0])', text))

  isAt = (path: RegExp) =>
    this.until(`The address ${path}`, () =>
      this.script(
        'return new RegExp(arguments[0]).test(location.pathname + location.search + location.hash)',
        path.source,
      ),
    )

  resize = (width: number, height: number) => this.driver.send('SetWindowRect', { width, height })

  async screenshot(): Promise<Buffer> {
    return Buffer.from(String(await this.driver.send('TakeScreenshot')), 'base64')
  }
}
