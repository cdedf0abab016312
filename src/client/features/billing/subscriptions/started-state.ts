/** Router state passed from the checkout return to the portal. */
export const startedState = { planStarted: true } as const

export const hasStarted = (state: unknown): boolean =>
  (state as Partial<typeof startedState> | null)?.planStarted === true
