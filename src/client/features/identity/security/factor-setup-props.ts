export type FactorSetupProps = {
  suggestedName: string
  /** With the success message, such as "Your phone is set up". */
  onAdded: (done: string) => void
  onClose: () => void
}
