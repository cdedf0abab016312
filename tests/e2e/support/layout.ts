import type { Page } from '@playwright/test'

type ShiftWindow = Window & { layoutShifts?: string[] }

/** Call before the page opens: remembers every shift that no click explains. */
export const watchLayoutShifts = (page: Page) =>
  page.addInitScript(() => {
    const seen: string[] = []
    ;(window as ShiftWindow).layoutShifts = seen
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Node | null }[] }
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (shift.hadRecentInput) continue
        const nodes = shift.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 90) : '?'))
        seen.push(`${shift.value.toFixed(4)} ${nodes.join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** The shifts so far, in words; empty is what we promise. */
export const layoutShifts = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    // Two frames: what is painted last is reported with the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    return (window as ShiftWindow).layoutShifts ?? ['not watched']
  })

/** Colors in the middle of a transition are nobody's mistake: wait until nothing moves. Endless spinners do not count. */
export const settle = (page: Page) =>
  page.waitForFunction(() => {
    const isMoving = (animation: Animation) =>
      animation.playState === 'running' && animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    return document.fonts.status === 'loaded' && !document.getAnimations().some(isMoving)
  })

/**
 * Parts of a page that can scroll by themselves, and that the keyboard doesn't reach. Whether they are too wide at the
 * moment depends on the fonts of the machine, so axe reports them on some machines only.
 */
export const unreachableScrollBoxes = (page: Page) =>
  page.evaluate(() => {
    const focusable = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]:not([tabindex="-1"])'
    const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll'
    const boxes = [...document.body.querySelectorAll<HTMLElement>('*')].filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element)
      return (scrolls(overflowX) || scrolls(overflowY)) && element.checkVisibility()
    })
    return boxes
      .filter((box) => !box.matches(focusable) && !box.querySelector(focusable))
      .map((box) => box.outerHTML.slice(0, 120))
  })
