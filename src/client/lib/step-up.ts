// Sensitive actions run through `withStepUp`. app/root-layout.tsx loads the dialog with the first request.

/** `fresh`: any recent confirmation. `second-factor`: the session must pass MFA. */
export type StepUpNeed = 'fresh' | 'second-factor'

export type StepUpRequest = { need: StepUpNeed; answer: (confirmed: boolean) => void }

/** The user closed the dialog, so the action didn't run. Not an error to display. */
export class StepUpDeclined extends Error {
  constructor() {
    super('Nothing was changed.')
    this.name = 'StepUpDeclined'
  }
}

const needs: Readonly<Record<string, StepUpNeed>> = {
  step_up_required: 'fresh',
  reauthentication_needed: 'fresh',
  insufficient_aal: 'second-factor',
}

/** The step-up that an error asks for; null for every other error. */
export function stepUpNeed(error: unknown): StepUpNeed | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(needs, code) ? (needs[code] ?? null) : null
}

let request: StepUpRequest | null = null
let pending: Promise<boolean> | null = null
const listeners = new Set<() => void>()

function publish(next: StepUpRequest | null) {
  request = next
  for (const listener of listeners) listener()
}

export const stepUpHost = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  request: () => request,
}

/** Opens the dialog. Concurrent requests share one dialog and its answer. */
function requestStepUp(need: StepUpNeed): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    publish({
      need,
      answer: (confirmed) => {
        pending = null
        publish(null)
        resolve(confirmed)
      },
    })
  })
  return pending
}

/**
 * Runs an action. If the server requires step-up, opens the dialog and runs the action again.
 * @throws StepUpDeclined if the user closes the dialog
 */
export async function withStepUp<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    const need = stepUpNeed(error)
    if (!need) throw error
    if (!(await requestStepUp(need))) throw new StepUpDeclined()
    return action()
  }
}
