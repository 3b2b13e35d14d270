import bodyFont from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url'
import displayFont from '@fontsource-variable/besley/files/besley-latin-wght-normal.woff2?url'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useContext, useEffect, useRef, useState } from 'react'
import { Links, Outlet, Scripts, ScrollRestoration, useRouteError } from 'react-router'

import { BRAND } from '#shared/business.ts'

import themeScript from './inline/theme.js?script'
import ticketScript from './inline/ticket.js?script'
import { paths } from './paths.ts'
import { newQueryClient } from './query-client.ts'
import { StaticPage } from './static-page.ts'
import './styles.css'
import { applyTheme } from './theme.ts'
import { Button, ButtonLink } from './ui/button.tsx'
import { Container } from './ui/container.tsx'
import { Wordmark } from './ui/mark.tsx'
import { LoadingPage } from './ui/spinner.tsx'
import { Toaster } from './ui/toast.tsx'

/** The document round every page. A static one ships as HTML and CSS, with the theme's script alone. */
export function Layout({ children }: { children: ReactNode }) {
  const isStatic = useContext(StaticPage)
  // The error page is made in the browser, where our policy (Trusted Types) forbids React to make a
  // script: with one in it the page would stay white. All of them have run by then anyway.
  const isBroken = Boolean(useRouteError())
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {isBroken ? null : (
          <script
            suppressHydrationWarning
            // oxlint-disable-next-line react/no-danger -- our own file, and it must run before the first paint
            dangerouslySetInnerHTML={{ __html: `${ticketScript};${themeScript}` }}
          />
        )}
        <link rel="preload" href={displayFont} as="font" type="font/woff2" crossOrigin="" />
        <link rel="preload" href={bodyFont} as="font" type="font/woff2" crossOrigin="" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon-32.png" sizes="32x32" type="image/png" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <Links />
      </head>
      <body>
        <a
          href="#main"
          className="sr-only rounded-control bg-card text-ui font-semibold focus:not-sr-only focus:fixed! focus:top-2 focus:left-4 focus:z-[70] focus:px-4! focus:py-3!"
        >
          Skip to content
        </a>
        {children}
        {isStatic || isBroken ? null : (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  )
}

export default function Root() {
  const [queryClient] = useState(newQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      <Toaster />
    </QueryClientProvider>
  )
}

/** What the app shell shows until the page's own code is there. */
export function HydrateFallback() {
  return (
    <LoadingPage>
      <title>{BRAND}</title>
      <noscript>This page needs JavaScript. Please switch it on and load the page again.</noscript>
    </LoadingPage>
  )
}

/** A bug of ours in the browser. What the server did stays done, so a reload is always safe. */
export function ErrorBoundary() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The whole document was made anew, without what the theme's script had put on it.
    applyTheme()
    heading.current?.focus()
  }, [])
  return (
    <main id="main" tabIndex={-1}>
      <title>{`Something broke · ${BRAND}`}</title>
      <Container className="py-8">
        <a href={paths.start} className="block w-fit">
          <Wordmark />
        </a>
        <h1 ref={heading} tabIndex={-1} className="mt-16 font-display text-h1 font-semibold">
          Something broke on this page.
        </h1>
        <p className="mt-4 max-w-[66ch] text-lead text-ink-2">
          Nothing you have uploaded is lost. Load the page again; if that does not help, go to the
          start.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button
            variant="primary"
            onClick={() => {
              location.reload()
            }}
          >
            Reload
          </Button>
          <ButtonLink href={paths.start} reloadDocument>
            Go to the start
          </ButtonLink>
        </div>
      </Container>
    </main>
  )
}
