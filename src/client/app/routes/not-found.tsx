import { ButtonLink } from '#client/ui/button-link.tsx'

export function Component() {
  return (
    <div className="page py-20 sm:py-28">
      <p className="font-semibold text-accent-ink">404</p>
      <h1 className="display mt-2 text-3xl sm:text-4xl">Oops! Page not found</h1>
      <p className="mt-4 max-w-[62ch] text-lg text-muted">Check the address for typos. The page may also have moved.</p>
      <ButtonLink to="/" className="mt-8">
        Return to Home
      </ButtonLink>
    </div>
  )
}
