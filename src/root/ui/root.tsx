import { type ReactNode, useContext } from 'react'
import { Links, Outlet, useLocation } from 'react-router'

import { AppEntryContext } from './app-entry.ts'
import headingFont from '@fontsource/besley/files/besley-latin-600-normal.woff2?url'
import textFont from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url'
import themeScript from '#web/inline/theme.js?script'
// oxlint-disable-next-line import/default -- the plugin in vite.config.ts makes it
import ticketScript from '#web/inline/ticket.ts?script'
// oxlint-disable-next-line import/default -- the plugin in vite.config.ts makes it
import missedScript from '#web/inline/missed.ts?script'
// oxlint-disable-next-line import/default -- the plugin in vite.config.ts makes it
import tooOldScript from '#web/inline/too-old.ts?script'
import '#web/styles.css'

/**
 * The HTML document around every page, written when the site is built. A page without the app has
 * HTML, CSS and the theme's script only.
 */
export function Layout({ children }: { children: ReactNode }) {
  const app = useContext(AppEntryContext)
  // Where nobody signs in, nothing looks for a sign-in.
  const isShared = useLocation().pathname.startsWith('/templates/')
  if (!import.meta.env.SSR) return children
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <script
          // oxlint-disable-next-line react/no-danger -- our own file, and it must run before the first paint
          dangerouslySetInnerHTML={{
            __html: isShared ? themeScript : `${ticketScript};${themeScript}`,
          }}
        />
        <link rel="preload" href={headingFont} as="font" type="font/woff2" crossOrigin="" />
        <link rel="preload" href={textFont} as="font" type="font/woff2" crossOrigin="" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon-32.png" sizes="32x32" type="image/png" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        {app ? (
          <>
            {[app.module, ...app.imports].map((file) => (
              <link key={file} rel="modulepreload" href={file} />
            ))}
            <script
              // oxlint-disable-next-line react/no-danger -- our own file, for browsers without modules too
              dangerouslySetInnerHTML={{ __html: `${missedScript};${tooOldScript}` }}
            />
            {app.refresh ? <script type="module" src={app.refresh} /> : null}
            <script type="module" src={app.module} />
            {/* The app is what one installs. Elsewhere it and its picture would come before the text.
                With credentials it comes over the connection that is open; without, over a new one. */}
            <link rel="manifest" href="/site.webmanifest" crossOrigin="use-credentials" />
          </>
        ) : null}
        <Links />
      </head>
      <body>
        <a
          href="#main"
          className="sr-only rounded-control bg-card text-ui font-semibold focus:not-sr-only focus:fixed! focus:top-2 focus:left-4 focus:z-[70] focus:px-4! focus:py-3!"
        >
          Skip to content
        </a>
        {app ? (
          <div id="app" className="contents">
            {children}
          </div>
        ) : (
          children
        )}
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}
