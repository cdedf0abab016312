import { errorMessage, isTransient } from '#client/lib/error-message.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'

/** Leads to sign-up and sign-in, which return with this state of the location. */
export const SignInOptions = ({ state }: { state: object }) => (
  <div className="grid gap-3">
    <ButtonLink to="/auth?mode=sign-up" state={state} block>
      Create an account
    </ButtonLink>
    <ButtonLink to="/auth" state={state} variant="secondary" block>
      Sign in
    </ButtonLink>
  </div>
)

type LinkErrorProps = { query: { error: unknown; isFetching: boolean; refetch: () => unknown } }

/** Shown for an emailed link that opens nothing, or while the server doesn't answer. */
export const LinkError = ({ query: { error, isFetching, refetch } }: LinkErrorProps) => (
  <div className="grid gap-8">
    <p role="alert" className="text-lg">
      {errorMessage(error)}
    </p>
    {isTransient(error) ? (
      <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    ) : (
      <ReturnHome />
    )}
  </div>
)

export const ReturnHome = () => (
  <ButtonLink to="/" variant="secondary" block>
    Return to Home
  </ButtonLink>
)
