import type { Page } from '@playwright/test'

type Stale = { path: string; method?: string; code?: 'step_up_required' | 'reauthentication_needed' }

/**
 * The next call to `path` is refused as if the last proof of identity were too old; those after it reach the server.
 * A quarter of an hour is too long to wait for, and that the server refuses after it is tested where its clock can be
 * set. What the dialog then sends goes to the server itself.
 */
export function refuseOnceAsStale(page: Page, { path, method = 'POST', code = 'step_up_required' }: Stale) {
  let refused = false
  return page.route(`**${path}`, (route) => {
    if (refused || route.request().method() !== method) return route.fallback()
    refused = true
    const message = 'Confirm it’s you to continue.'
    return code === 'step_up_required'
      ? route.fulfill({ status: 403, json: { error: message, code } })
      : route.fulfill({ status: 400, json: { code, message, error_code: code } })
  })
}
