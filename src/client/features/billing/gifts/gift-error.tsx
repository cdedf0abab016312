import { isTransient } from '#client/lib/call-error.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'

type GiftErrorProps = { query: { error: unknown; isFetching: boolean; refetch: () => unknown } }

/** A link that opens no gift, or a server that doesn't answer. */
export const GiftError = ({ query: { error, isFetching, refetch } }: GiftErrorProps) => (
  <div className="grid gap-8">
    <p role="alert" className="text-lg">
      {errorMessage(error)}
    </p>
    {isTransient(error) ? (
      <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    ) : (
      <ButtonLink to="/" variant="secondary" block>
        Return to Home
      </ButtonLink>
    )}
  </div>
)
