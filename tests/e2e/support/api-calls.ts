import type { Page, Request } from '@playwright/test'

const isApi = (request: Request) => /\/(auth|rest|functions)\/v1\//.test(request.url())

type Call = { name: string; startedAt: number; endedAt: number }

/** Records a page's API calls, delaying each to at least `latencyMs` so that sequential calls stand out. */
export async function watchCalls(page: Page, latencyMs: number) {
  const calls: Call[] = []
  await page.route(
    (url) => /^\/(auth|rest|functions)\/v1\//.test(url.pathname),
    async (route) => {
      const request = route.request()
      // Requests that a page sends once it is idle aren’t part of its load.
      if (/\/(offline-library|record-first-week|save-time-zone)$/.test(new URL(request.url()).pathname))
        return route.continue()
      const call: Call = {
        name: `${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ''}`,
        startedAt: performance.now(),
        endedAt: Number.POSITIVE_INFINITY,
      }
      calls.push(call)
      const response = await route.fetch()
      const left = latencyMs - (performance.now() - call.startedAt)
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
      call.endedAt = performance.now()
      await route.fulfill({ response })
    },
  )
  return {
    names: () => calls.map((call) => call.name),
    /** Length of the longest chain of calls that each started after the previous response. */
    longestChain: () => {
      const lengths = new Map<Call, number>()
      for (const call of calls.toSorted((a, b) => a.startedAt - b.startedAt)) {
        const before = calls.filter((other) => other.endedAt <= call.startedAt).map((other) => lengths.get(other) ?? 0)
        lengths.set(call, 1 + Math.max(0, ...before))
      }
      return Math.max(0, ...lengths.values())
    },
  }
}

/** Counts calls of one name without intercepting them. */
export function countCalls(page: Page, name: string) {
  let count = 0
  page.on('request', (request) => {
    if (isApi(request) && new URL(request.url()).pathname.endsWith(`/${name}`)) count += 1
  })
  return () => count
}
