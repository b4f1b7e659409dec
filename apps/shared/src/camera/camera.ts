/** Why there is no picture. */
export type CameraProblem = 'camera_denied' | 'camera_none' | 'camera_busy'

/** What the errors of browsers mean (Media Capture and Streams, 10.2). */
const problems: Record<string, CameraProblem> = {
  NotAllowedError: 'camera_denied',
  SecurityError: 'camera_denied',
  NotReadableError: 'camera_busy',
  AbortError: 'camera_busy',
}

/**
 * Shows what a camera sees, until `signal` ends it: the one on the back unless another is chosen, or that is gone. Returns why not, if it
 * cannot.
 */
export async function openCamera(
  video: HTMLVideoElement,
  signal: AbortSignal,
  camera?: string,
): Promise<CameraProblem | undefined> {
  if (!navigator.mediaDevices) return 'camera_none'
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      video: {
        ...(camera ? { deviceId: camera } : { facingMode: 'environment' }),
        width: { ideal: 1280 },
        height: { ideal: 720 },
      },
    })
    const stop = (): void => {
      for (const track of stream.getTracks()) track.stop()
      video.srcObject = null
    }
    if (signal.aborted) {
      stop()
      return undefined
    }
    signal.addEventListener('abort', stop)
    video.srcObject = stream
    await video.play()
    return undefined
  } catch (error) {
    if (signal.aborted) return undefined
    return (error instanceof DOMException && problems[error.name]) || 'camera_none'
  }
}
