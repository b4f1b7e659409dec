<?php

declare(strict_types=1);

// What Composer does for those who install the client.
spl_autoload_register(function (string $class): void {
    require __DIR__ . '/../src/' . str_replace(['Gatehouse\\', '\\'], ['', '/'], $class) . '.php';
});
