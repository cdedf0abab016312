import type { Page } from '@playwright/test'

/** Answers a product call in the server's place, as if it had trouble. */
export const failCall = (page: Page, name: string, status = 500) =>
  page.route(`**/functions/v1/${name}`, (route) =>
    route.fulfill({ status, json: { error: 'Something went wrong on our side.', code: 'unexpected_failure' } }),
  )
