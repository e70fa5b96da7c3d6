{"error":{"code":"invalid_input","exit":2,"message":"s.csv: no such file or directory","retryable":false}}
Command exited with non-zero status 2
report 0.19 s 0.12 user
