import { spawn } from 'node:child_process'

/**
 * Opens an address in the browser of this desktop.
 * @returns false where there is no desktop
 */
export function openInBrowser(url: string): boolean {
  const { platform, env } = process
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return false
  const [command, ...args] =
    platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url]
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  // Without such a program the printed address is enough.
  child.on('error', () => undefined)
  child.unref()
  return true
}
