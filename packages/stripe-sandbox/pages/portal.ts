import type { WebResponse } from '../http/server.ts'
import { redirect } from './layout.ts'
import { confirmCard, confirmPayment, payOpen, updateCard } from './portal-card.ts'
import { portalHome } from './portal-home.ts'
import { cancelPlan, resumePlan, switchPlan } from './portal-plan.ts'
import { donePage, type Portal, withPortal } from './portal-session.ts'
import type { PageRoute } from './router.ts'

/** The first page of a deep link. Afterwards the portal shows the overview. */
function startOfFlow({ base, open }: Portal): string | null {
  const flow = open.notes.usesFlow ? open.session.flow : null
  if (flow?.type === 'payment_method_update') return `${base}/card`
  if (flow?.subscription_cancel) return `${base}/cancel/${flow.subscription_cancel.subscription}`
  const confirm = flow?.subscription_update_confirm
  const price = confirm?.items[0]?.price
  return confirm && price ? `${base}/switch/${confirm.subscription}/${price}` : null
}

function home(portal: Portal): WebResponse {
  const start = portal.call.field('home') === '' && portal.call.field('said') === '' ? startOfFlow(portal) : null
  return start === null ? portalHome(portal) : redirect(start)
}

const scope = (path: string[]): string => path[0] ?? ''
const token = '([A-Za-z0-9]{20,80})'

const at = (rest: string, work: (portal: Portal) => WebResponse): PageRoute => ({
  handle: (call) => withPortal(call, work),
  pattern: new RegExp(`^/p/session/${token}${rest}$`),
  scope,
})

export const portalPages: PageRoute[] = [
  at('', home),
  at('/switch/(sub_\\w+)/(\\w+)', switchPlan),
  at('/cancel/(sub_\\w+)', cancelPlan),
  at('/done', donePage),
  at('/resume', resumePlan),
  at('/card', updateCard),
  at('/card/(pm_\\w+)', confirmCard),
  at('/pay', payOpen),
  at('/pay/(in_\\w+)', confirmPayment),
]
