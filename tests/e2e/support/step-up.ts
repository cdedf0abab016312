import type { Page } from '@playwright/test'

type Options = { path: string; method?: string; code?: 'step_up_required' | 'reauthentication_needed' }

/**
 * Refuses the next call to `path` as if the last authentication were too old, instead of waiting 15 minutes. All other
 * calls reach the server. Integration tests check the expiry itself.
 */
export function requireStepUpOnce(page: Page, { path, method = 'POST', code = 'step_up_required' }: Options) {
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
