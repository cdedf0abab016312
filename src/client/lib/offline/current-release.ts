/** Identifies the app's build by its entry script, whose name contains a hash of all scripts. */
export const currentRelease = (): string =>
  document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''
