package ioeventtest

import (
	"sync"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// sleepTests are those of Arm, Wake and Wait without descriptors.
func sleepTests() []pollerTest {
	return []pollerTest{
		{"LookDoesNotSleep", testLook},
		{"ArmEndsSleep", testArm},
		{"ArmEndsOneSleep", testArmOnce},
		{"ArmEarlierReplaces", testArmEarlier},
		{"ArmLaterReplaces", testArmLater},
		{"ArmPast", testArmPast},
		{"ArmNeverDisarms", testArmNever},
		{"ArmFarAway", testArmFar},
		{"WakeBeforeSleep", testWakeBefore},
		{"WakeDuringSleep", testWakeDuring},
		{"WakesMayBeMerged", testWakesMerged},
		{"WakesAreNotLost", testWakesNotLost},
		{"SignalDoesNotEndSleep", testSignal},
	}
}

func testLook(b *bench) {
	began := ioevent.Now()
	b.arm(began + ioevent.Time(time.Hour))
	before := b.counters.Syscalls
	for range 10 {
		if evs := b.look(); len(evs) != 0 {
			b.Errorf("events %v from nothing", evs)
		}
	}
	if ioevent.Now()-began > ioevent.Time(slack) {
		b.Error("looking slept")
	}
	if n := b.counters.Syscalls - before; b.mechanism.Files && n != 10 {
		b.Errorf("%d system calls counted for 10 looks at nothing", n)
	}
}

func testArm(b *bench) {
	for _, after := range []ioevent.Time{1, ms / 10, ms, 20 * ms} {
		at := ioevent.Now() + after
		b.arm(at)
		b.sleepUntil("armed", at)
	}
}

func testArmOnce(b *bench) {
	at := ioevent.Now() + 5*ms
	b.arm(at)
	b.sleepUntil("armed", at)
	b.sleepUntil("armed once", b.wakeAfter(20*ms))
}

// wakeAfter has another goroutine wake the poller, and returns a time before that.
func (b *bench) wakeAfter(d ioevent.Time) ioevent.Time {
	at := ioevent.Now() + d
	b.after(d, b.wake)
	return at
}

func testArmEarlier(b *bench) {
	at := ioevent.Now() + 10*ms
	b.arm(at + ioevent.Time(time.Hour))
	b.arm(at)
	b.sleepUntil("armed for earlier", at)
}

func testArmLater(b *bench) {
	at := ioevent.Now() + 40*ms
	b.arm(at - 35*ms)
	b.arm(at)
	b.sleepUntil("armed for later", at)
	b.arm(ioevent.Now() + ms)
	time.Sleep(5 * time.Millisecond) // it has come, and nobody was told
	at = ioevent.Now() + 20*ms
	b.arm(at)
	b.sleepUntil("armed after it had come", at)
}

func testArmPast(b *bench) {
	for _, at := range []ioevent.Time{ioevent.Now(), 1, 0} {
		b.arm(at)
		b.sleepUntil("armed for the past", at)
	}
}

func testArmNever(b *bench) {
	b.arm(ioevent.Now() + 5*ms)
	b.arm(ioevent.Never)
	b.sleepUntil("disarmed", b.wakeAfter(20*ms))
}

func testArmFar(b *bench) {
	for _, at := range []ioevent.Time{ioevent.Never - 1, 1 << 62, ioevent.Now() + ioevent.Time(10000*time.Hour)} {
		b.arm(at)
		b.sleepUntil("armed for the far future", b.wakeAfter(10*ms))
	}
}

func testWakeBefore(b *bench) {
	b.wake()
	b.sleepUntil("woken before", 0)
	b.sleepUntil("woken once", b.wakeAfter(10*ms))
}

func testWakeDuring(b *bench) {
	for range 5 {
		b.sleepUntil("woken", b.wakeAfter(5*ms))
	}
}

func testWakesMerged(b *bench) {
	const wakes = 1000
	for range wakes {
		b.wake()
	}
	at := ioevent.Now() + 50*ms
	b.arm(at)
	for range wakes {
		b.sleepUntil("woken often", 0)
		if ioevent.Now() >= at {
			return
		}
	}
	b.sleepUntil("after as many sleeps as wakes", at)
}

// testWakesNotLost hands a number to and fro: it comes to an end only if each wake ends a sleep.
func testWakesNotLost(b *bench) {
	const rounds = 2000
	var wg sync.WaitGroup
	asleep := make(chan struct{})
	wg.Go(func() {
		for range asleep {
			b.wake()
		}
	})
	for range rounds {
		asleep <- struct{}{} // woken a little before, at, or a little after the sleep
		b.sleepUntil("woken", 0)
	}
	close(asleep)
	wg.Wait()
}

func testSignal(b *bench) {
	at := ioevent.Now() + 50*ms
	b.arm(at)
	stop := interruptThread(b.T)
	defer stop()
	b.sleepUntil("with signals", at)
}
