import { customerPage } from './control-customer.ts'
import { customersPage } from './control-customers.ts'
import { eventPage, eventsPage } from './control-events.ts'
import { controlScope } from './control-layout.ts'
import { settingsPage } from './control-settings.ts'
import { redirect } from './layout.ts'
import type { PageRoute } from './router.ts'

const scope = (): string => controlScope

/** The control pages, for developing and demonstrating an application. */
export const controlPages: PageRoute[] = [
  { handle: () => redirect('/sandbox'), pattern: /^\/$/ },
  { handle: customersPage, pattern: /^\/sandbox$/ },
  { handle: customerPage, pattern: /^\/sandbox\/customers\/(cus_\w+)$/, scope },
  { handle: eventsPage, pattern: /^\/sandbox\/events$/ },
  { handle: eventPage, pattern: /^\/sandbox\/events\/(evt_\w+)$/, scope },
  { handle: settingsPage, pattern: /^\/sandbox\/settings$/, scope },
]
